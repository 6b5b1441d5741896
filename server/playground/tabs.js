// A mouse drags a tab to another place. A finger moves the whole row, which on a phone is the only
// way to the tabs that are out of sight.
document.addEventListener(
  'pointerdown',
  (event) => {
    if (event.pointerType === 'touch' && event.target.closest('.graphiql-tab')) {
      event.stopPropagation();
    }
  },
  { capture: true },
);
