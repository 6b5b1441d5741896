// GraphiQL keeps its tabs in localStorage under names that every GraphiQL on the same host and
// port shares. A prefix of our own keeps another project's tabs out of this page.
const PREFIX = 'stemma:';

const ownKeys = () => Object.keys(localStorage).filter((key) => key.startsWith(PREFIX));

export const playgroundStorage = {
  getItem: (key) => localStorage.getItem(PREFIX + key),
  setItem: (key, value) => localStorage.setItem(PREFIX + key, value),
  removeItem: (key) => localStorage.removeItem(PREFIX + key),
  clear: () => ownKeys().forEach((key) => localStorage.removeItem(key)),
  get length() {
    return ownKeys().length;
  },
};
