/**
 * Repeats the last press on a button that nothing listened to yet, once React has taken the button over. Plain text,
 * because it runs before any other script. React marks the elements it has taken over with a property; it commits them a
 * little later, hence the wait for a quiet moment.
 */
export const EARLY_PRESSES = `(() => {
  const isTakenOver = (element) => Object.keys(element).some((key) => key.startsWith('__reactProps$'));
  const whenQuiet = window.requestIdleCallback ?? ((work) => setTimeout(work, 200));
  let pressed = null;
  const repeat = () => {
    const { button, until } = pressed;
    if (!button.isConnected || performance.now() > until) pressed = null;
    else if (!isTakenOver(button)) setTimeout(repeat, 50);
    else {
      pressed = null;
      whenQuiet(() => button.click(), { timeout: 1000 });
    }
  };
  addEventListener('click', (event) => {
    const button = event.target instanceof Element && event.target.closest('button:not([popovertarget])');
    if (!button || !event.isTrusted || isTakenOver(button)) return;
    if (!pressed) setTimeout(repeat, 50);
    pressed = { button, until: performance.now() + 30000 };
  }, true);
})();`;
