"""The interaction log: events, chunks, how it arrives, is packed and leaves."""
