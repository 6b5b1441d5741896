// Makes an element with a text, whatever that looks like.

export function text(tag, content, className = "") {
  const element = document.createElement(tag);
  element.textContent = content;
  element.className = className;
  return element;
}
