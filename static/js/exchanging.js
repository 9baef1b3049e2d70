// Exchanges what the page in the document shows with what a page from memory shows. The questions are
// most of a page and nearly the same on the next: they stay, laid out as they are, and only what
// differs changes places. Everything else moves as it is.

const FORM = "[data-questions]";
const CHOICE = "input[type=radio], input[type=checkbox]";
// What holds something that no script can read (half a number, what can be undone), shows its old
// picture until the new one is loaded, or has a style, which the policy forbids to write as an attribute.
const WHOLE = `input:not([type=radio], [type=checkbox]), textarea, select, img, svg, math, video, audio, iframe, object,
  [style]`;

const isWhole = (node) => node.nodeType === Node.ELEMENT_NODE && node.matches(WHOLE);

function exchangeNodes(one, other) {
  const { parentNode, nextSibling } = other;
  one.replaceWith(other);
  parentNode.insertBefore(one, nextSibling);
}

function exchangeChildren(one, other) {
  const [ones, others] = [[...one.childNodes], [...other.childNodes]];
  one.replaceChildren(...others);
  other.replaceChildren(...ones);
}

function write(element, name, value) {
  if (value === null) element.removeAttribute(name);
  else element.setAttribute(name, value);
}

function exchangeAttributes(one, other) {
  for (const name of new Set([...one.getAttributeNames(), ...other.getAttributeNames()])) {
    const [value, wanted] = [one.getAttribute(name), other.getAttribute(name)];
    if (value === wanted) continue;
    write(one, name, wanted);
    write(other, name, value);
  }
}

/** Put what one node shows into the other and the reverse; `partners` collects pairs of choices. */
function exchangeNode(one, other, partners) {
  if (one.nodeName !== other.nodeName || isWhole(one) || isWhole(other)) return exchangeNodes(one, other);
  if (one.nodeType !== Node.ELEMENT_NODE) {
    if (one.data !== other.data) [one.data, other.data] = [other.data, one.data];
    return undefined;
  }
  if (one.matches(CHOICE)) partners.set(one, other).set(other, one);
  if (one.isEqualNode(other) && !one.querySelector(WHOLE)) {
    const others = other.querySelectorAll(CHOICE);
    one.querySelectorAll(CHOICE).forEach((choice, n) => partners.set(choice, others[n]).set(others[n], choice));
    return undefined;
  }
  exchangeAttributes(one, other);
  if (one.childNodes.length !== other.childNodes.length) return exchangeChildren(one, other);
  const others = [...other.childNodes];
  [...one.childNodes].forEach((child, n) => exchangeNode(child, others[n], partners));
  return undefined;
}

/** The nodes from a page down to its form; null for a page without one. */
function wayOf(main) {
  const way = [];
  for (let node = main.querySelector(FORM); node && node !== main; node = node.parentElement) way.unshift(node);
  return way.length ? [main, ...way] : null;
}

const shapeOf = ({ children }) => [...children].map(({ nodeName }) => nodeName).join();

/** Are two pages so alike that one can take the place of the other without their forms being moved? */
function areAlike(ones, others) {
  if (!ones || !others || ones.length !== others.length) return false;
  return ones.every((node, n) => {
    const isForm = n === ones.length - 1;
    const place = n && [...ones[n - 1].children].indexOf(node);
    const otherPlace = n && [...others[n - 1].children].indexOf(others[n]);
    return node.className === others[n].className && place === otherPlace && (isForm || shapeOf(node) === shapeOf(others[n]));
  });
}

/**
 * Exchange what two pages show: attributes, children, and what is chosen or typed in them. What has
 * the focus must be outside.
 *
 * @param {Element} main  in the document
 * @param {Element} other  not in it
 * @returns {boolean} false if they are too different; then nothing was changed
 */
export function exchange(main, other) {
  const [ones, others] = [wayOf(main), wayOf(other)];
  if (!areAlike(ones, others)) return false;
  ones.slice(0, -1).forEach((node, n) => {
    exchangeAttributes(node, others[n]);
    const pieces = [...others[n].children];
    [...node.children].forEach((child, at) => child !== ones[n + 1] && exchangeNodes(child, pieces[at]));
  });
  const forms = [ones.at(-1), others.at(-1)];
  const choices = forms.flatMap((form) => [...form.querySelectorAll(CHOICE)]);
  const chosen = new Map(choices.map((choice) => [choice, choice.checked]));
  const partners = new Map();
  exchangeNode(...forms, partners);
  for (const choice of choices) choice.checked = chosen.get(partners.get(choice) ?? choice);
  return true;
}
