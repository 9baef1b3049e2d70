"""Models that rate: what they are asked, how calls go out, what came back.

`client.Endpoint` asks one (`protocols` has the two ways of asking, `limits` what its headers say,
`addresses` where calls may go).
"""
