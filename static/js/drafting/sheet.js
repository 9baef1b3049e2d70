// Saves the fields of a section one by one, each against the revision in which its words were seen.
//
// What the server has not taken yet stays in the page and in this tab's storage: a lost network or
// session comes back to the same words.

import { whenReleased } from "../released.js";
import { keep, kept } from "./keeping.js";
import { markFaults, markRefused, say, state } from "./marks.js";

const PATIENCE = 700; // ms after the last key
const AGAIN = 4000; // ms after a failure
const SOON = 1000; // the same, when the connection came back just now
const WHY = {
  403: "Not saved: you may look at this draft, and no longer change it.",
  404: "Not saved: this draft was deleted, or you may not see it any more. Copy your words before you leave this page.",
};

export class Sheet {
  constructor(root) {
    this.root = root;
    this.revision = Number(root.dataset.revision);
    this.pending = new Set(); // names of fields
    this.bases = new Map(); // name -> the revision in which its words were seen, if another one
    this.held = new Map(); // name -> the revision that refused it: its words wait for a person
    this.known = new Map(); // name -> the value that the server has
    this.timer = 0;
    this.cameBack = -Infinity; // when the connection did
    this.sending = Promise.resolve();
    this.learn();
    for (const type of ["input", "change", "focusout"]) root.addEventListener(type, (event) => this.typed(event));
    root.addEventListener("submit", (event) => this.submitted(event));
    root.addEventListener("click", (event) => this.chosen(event));
    addEventListener("online", () => this.reconnected());
    addEventListener("beforeunload", (event) => {
      if (this.pending.size || this.held.size) event.preventDefault();
    });
    this.bringBack();
  }

  get form() {
    return this.root.querySelector("[data-sheet]");
  }

  fields() {
    return [...this.root.querySelectorAll("[data-edits]")];
  }

  field(name) {
    return this.fields().find((each) => each.name === name);
  }

  /** Note what the page has from the server. */
  learn() {
    this.known = new Map(this.fields().map((each) => [each.name, valueOf(each)]));
    this.form.querySelector("[data-save]").hidden = true; // without a script it saves
  }

  bringBack() {
    for (const [name, value] of Object.entries(kept(this.form.action))) {
      const field = this.field(name);
      if (!field || field.matches(":disabled") || valueOf(field) === value) continue;
      setValue(field, value);
      this.want(field, 0);
    }
  }

  typed({ type, target }) {
    if (!target.matches("[data-edits]")) return;
    // A date changes with each digit of its year, and says nothing where it is left half typed.
    const isDate = target.type === "date";
    if (type === "focusout" && !(isDate && (this.pending.has(target.name) || isHalf(target)))) return;
    this.want(target, type === "focusout" || (type === "change" && !isDate) ? 0 : PATIENCE);
  }

  want(field, patience) {
    if (valueOf(field) === this.known.get(field.name) && !this.bases.has(field.name)) {
      this.pending.delete(field.name);
      keep(this.form.action, this.words());
      return;
    }
    this.pending.add(field.name);
    this.offer(true, false); // it is saved before it is undone
    keep(this.form.action, this.words());
    state("Saving…");
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.flush(), patience);
  }

  words(names = this.pending) {
    const fields = [...names].map((name) => this.field(name)).filter(Boolean);
    return Object.fromEntries(fields.map((each) => [each.name, valueOf(each)]));
  }

  /** Send what is pending, one request after the other. */
  flush() {
    clearTimeout(this.timer);
    this.sending = this.sending.then(() => this.send());
    return this.sending;
  }

  /** The browser says that the connection is back; the first request may fail all the same. */
  reconnected() {
    this.cameBack = performance.now();
    if (this.pending.size) this.flush();
  }

  async send() {
    if (!this.pending.size) return;
    const words = this.words();
    const names = Object.keys(words);
    const base = Math.min(...names.map((name) => this.baseOf(name)));
    let answer;
    try {
      answer = await this.post(this.message(words, base), "application/json");
    } catch {
      state("Not saved: there is no connection. We keep trying.", "bad");
      const isBack = performance.now() - this.cameBack < 2 * AGAIN;
      this.timer = setTimeout(() => this.flush(), isBack ? SOON : AGAIN);
      return;
    }
    if (answer.status === 410) {
      state((await answer.json()).sentence, "bad");
      return;
    }
    if (answer.status === 403 && (await this.renewed())) {
      this.timer = setTimeout(() => this.flush(), 0);
      return;
    }
    if (!answer.ok || answer.redirected) {
      state(WHY[answer.status] ?? "Not saved. You may have been logged out: log in again in another tab.", "bad");
      if (answer.status !== 403) this.timer = setTimeout(() => this.flush(), AGAIN);
      return;
    }
    await this.taken(words, await answer.json(), base);
  }

  /** Who logs in in another tab has a new token there: whether this page had an old one. */
  async renewed() {
    const answer = await fetch(this.form.action, { headers: { Accept: "text/html" } });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const token = page.querySelector("[data-sheet] [name=csrfmiddlewaretoken]")?.value;
    if (!token || page.querySelector("[data-sheet] fieldset:disabled")) return false;
    const isNew = !this.renewedAt || Date.now() - this.renewedAt > AGAIN;
    this.renewedAt = Date.now();
    for (const each of document.getElementsByName("csrfmiddlewaretoken")) each.value = token;
    return isNew;
  }

  baseOf(name) {
    return this.bases.get(name) ?? this.revision;
  }

  /** The server has answered: what it refused stays as it was typed. */
  async taken(words, saved, base) {
    // Where others have saved in between, their words are not on this page yet.
    const alone = saved.revision <= base + 1 && base === this.revision;
    const refused = new Map(saved.refused.map((each) => [each.path, each]));
    let shapes = false;
    for (const [name, value] of Object.entries(words)) {
      const field = this.field(name);
      if (refused.has(name)) {
        this.bases.set(name, this.baseOf(name));
        this.held.set(name, saved.revision);
      } else {
        this.known.set(name, value);
        this.held.delete(name);
        shapes ||= field?.matches("[data-shapes]");
        if (alone) this.bases.delete(name);
        else this.bases.set(name, saved.revision);
      }
      if (!field || valueOf(field) === value) this.pending.delete(name);
    }
    if (alone) this.revision = saved.revision;
    this.form.querySelector("[data-revision-field]").value = this.revision;
    keep(this.form.action, this.words());
    document.querySelector("[data-draft-title]").textContent = saved.title;
    this.showRail(saved.side);
    this.showSum(saved.sum);
    this.showDock(saved.dock);
    this.offer(saved.can_undo, saved.can_redo);
    markFaults(this.root, saved.faults);
    for (const each of saved.refused) markRefused(each);
    this.sayHow();
    if (shapes) await this.show();
    else if (!alone) await this.merge(saved.revision);
    this.showPage();
  }

  /** What was refused stays unsaved, whatever else is saved after it. */
  sayHow() {
    state(this.held.size ? "Not everything saved" : "Saved", this.held.size ? "bad" : "");
  }

  message(words, revision) {
    const message = new FormData();
    message.set("csrfmiddlewaretoken", this.form.elements.csrfmiddlewaretoken.value);
    message.set("revision", revision);
    for (const [name, value] of Object.entries(words)) {
      if (this.field(name)?.type === "checkbox") {
        message.append("boxes", name);
        if (value) message.set(name, "yes");
      } else {
        message.set(name, value);
      }
    }
    return message;
  }

  post(body, accept, address = this.form.action) {
    const headers = { Accept: accept };
    if (accept === "text/html") headers["HX-Request"] = "true"; // the form alone, not a redirect
    return fetch(address, { method: "POST", body, headers });
  }

  submitted(event) {
    const { submitter, target } = event;
    if (target.matches("[data-step]")) {
      event.preventDefault();
      this.step(target.action, { section: this.root.dataset.section });
    } else if (target.matches("[data-sheet]")) {
      event.preventDefault();
      if (submitter?.name === "do") this.step(this.form.action, { do: submitter.value });
      else this.flush();
    }
  }

  /** Add, move, remove, undo: what was typed goes first, then the form is shown as it is now. */
  async step(address, values) {
    await this.flush();
    const message = this.message({}, this.revision);
    for (const [name, value] of Object.entries(values)) message.set(name, value);
    state("Saving…");
    try {
      const answer = await this.post(message, "text/html", address);
      this.replace(await answer.text());
      const button = values.do && [...this.form.querySelectorAll("[name=do]")].find((each) => each.value === values.do);
      this.focus(button);
    } catch {
      state("Not done: there is no connection.", "bad");
    }
  }

  /** Show the form again as the server has it. */
  async show() {
    const focused = document.activeElement?.id;
    const answer = await fetch(this.form.action, { headers: { Accept: "text/html" } });
    this.replace(await answer.text());
    if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
  }

  replace(html) {
    whenReleased(this.root, () => this.replaceNow(html));
  }

  replaceNow(html) {
    const page = new DOMParser().parseFromString(html, "text/html");
    const form = page.querySelector("[data-sheet]");
    if (!form) {
      location.reload();
      return;
    }
    const words = this.words([...this.pending, ...this.held.keys()]);
    const open = new Set([...this.root.querySelectorAll("[data-keeps][open]")].map((each) => each.id));
    this.form.replaceWith(form);
    this.showRail(page.querySelector("[data-rail]").innerHTML);
    this.showDock(page.querySelector("[data-dock]").innerHTML);
    document.querySelector("[data-draft-title]").textContent = page.querySelector("[data-draft-title]").textContent;
    for (const each of this.root.querySelectorAll("[data-keeps]")) each.open ||= open.has(each.id);
    this.revision = Number(page.querySelector("[data-draft]").dataset.revision);
    this.offer(...["undo", "redo"].map((each) => !page.querySelector(`[data-can-${each}][aria-disabled]`)));
    this.root.querySelector("[data-newer]").hidden = true;
    this.learn();
    this.bases = new Map([...this.bases].filter(([name]) => name in words));
    this.held = new Map([...this.held].filter(([name]) => this.field(name)));
    for (const [name, value] of Object.entries(words)) {
      const field = this.field(name);
      if (field) setValue(field, value);
    }
    const said = page.querySelector("[data-said]").textContent;
    say(said);
    state(page.querySelector("[data-state]").textContent);
    this.showPage();
  }

  /** To what was added or moved; a button that moved something keeps the focus, if it can. */
  focus(button) {
    const place = document.getElementById(this.form.dataset.focus ?? "");
    if (button && !button.disabled && /^(up|down) /.test(button.value)) {
      button.focus();
    } else if (place) {
      if (place.matches("details") && !place.open) place.open = true;
      const first = place.querySelector("input:not([type=hidden]), textarea, select");
      (first ?? place.querySelector("summary") ?? place).focus();
    }
  }

  chosen({ target }) {
    const field = target.closest("[data-field]")?.querySelector("[data-edits]");
    if (!field) return;
    const theirs = target.closest("[data-theirs]");
    if (target.matches("[data-keep-mine]")) {
      theirs.hidden = true;
      this.bases.set(field.name, this.held.get(field.name) ?? this.revision); // they were read
      this.want(field, 0);
    } else if (target.matches("[data-take-theirs]")) {
      theirs.hidden = true;
      setValue(field, theirs.querySelector("[data-theirs-words]").textContent);
      this.known.set(field.name, valueOf(field));
      this.bases.delete(field.name);
      this.held.delete(field.name);
      this.pending.delete(field.name);
      keep(this.form.action, this.words());
      this.sayHow();
    }
  }

  /** Bring in what others have changed, wherever nobody is typing here. */
  async merge(revision) {
    if (this.pending.size || revision <= this.revision) return;
    const answer = await fetch(this.form.action, { headers: { Accept: "text/html" } });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const fresh = new Map([...page.querySelectorAll("[data-edits]")].map((each) => [each.name, each]));
    const here = this.fields();
    const same = here.length === fresh.size && here.every((each) => fresh.has(each.name));
    for (const field of here) {
      const value = fresh.has(field.name) ? valueOf(fresh.get(field.name)) : this.known.get(field.name);
      const waits = this.pending.has(field.name) || this.held.has(field.name);
      if (value === this.known.get(field.name)) {
        if (!waits) this.bases.delete(field.name);
      } else if (waits || field === document.activeElement) {
        this.bases.set(field.name, this.baseOf(field.name));
      } else {
        this.bases.delete(field.name);
        setValue(field, value);
        this.known.set(field.name, value);
      }
    }
    this.revision = Math.max(this.revision, Number(page.querySelector("[data-draft]").dataset.revision));
    this.form.querySelector("[data-revision-field]").value = this.revision;
    this.root.querySelector("[data-newer]").hidden = same;
    this.showRail(page.querySelector("[data-rail]").innerHTML);
    this.showSum(page.querySelector("[data-sum]")?.innerHTML);
    this.showDock(page.querySelector("[data-dock]").innerHTML);
    this.showPage();
  }

  /** The sections; on a phone their row stays scrolled as it was. */
  showRail(html) {
    const rail = this.root.querySelector("[data-rail]");
    whenReleased(rail, () => {
      const { scrollLeft } = rail.querySelector(".rail-row");
      const focused = rail.contains(document.activeElement) && document.activeElement.getAttribute("href");
      rail.innerHTML = html;
      rail.querySelector(".rail-row").scrollLeft = scrollLeft;
      if (focused) rail.querySelector(`[href="${focused}"]`)?.focus({ preventScroll: true });
    });
  }

  /** The figures at the foot of the page; a link there keeps the focus. */
  showDock(html) {
    const dock = this.root.querySelector("[data-dock]");
    whenReleased(dock, () => {
      const focused = dock.contains(document.activeElement) && document.activeElement.getAttribute("href");
      dock.innerHTML = html;
      if (focused) dock.querySelector(`[href="${focused}"]`)?.focus({ preventScroll: true });
    });
  }

  /** How the fields make the tasks, in the section that says it. */
  showSum(html) {
    const sum = this.root.querySelector("[data-sum]");
    if (sum && html !== undefined) sum.innerHTML = html;
  }

  /** Undo and Redo look as if they did something where they do. */
  offer(canUndo, canRedo) {
    for (const [name, can] of Object.entries({ undo: canUndo, redo: canRedo })) {
      const button = this.root.querySelector(`[data-can-${name}]`);
      if (can) button.removeAttribute("aria-disabled");
      else button.setAttribute("aria-disabled", "true");
    }
  }

  /** The worker's page beside the form, once nobody types for a moment. */
  showPage() {
    clearTimeout(this.pageTimer);
    this.pageTimer = setTimeout(() => {
      const frame = this.root.querySelector(".beside-page");
      if (frame?.offsetParent) frame.contentWindow?.location.reload();
    }, 500);
  }
}

const HALF = "–"; // of a date: no day, so that the server says so

function isHalf(field) {
  return field.type === "date" && field.validity.badInput;
}

function valueOf(field) {
  if (field.type === "checkbox") return field.checked ? "yes" : "";
  if (isHalf(field)) return HALF;
  return field.value;
}

function setValue(field, value) {
  if (field.type === "checkbox") field.checked = value === "yes";
  else if (value !== HALF) field.value = value;
}
