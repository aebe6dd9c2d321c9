/** Runs in the page. @returns whether something that stays while the page scrolls covers some of an element */
export function isScrolledUnder(element: Element): boolean {
  const { top, bottom } = element.getBoundingClientRect();
  const covers = (part: Element) => {
    const box = part.getBoundingClientRect();
    return box.height > 0 && box.top < bottom && box.bottom > top;
  };
  return [...document.querySelectorAll('body *')].some((one) => {
    const stays = /fixed|sticky/.test(getComputedStyle(one).position);
    return stays && !one.contains(element) && [one, ...one.querySelectorAll('a')].some(covers);
  });
}
