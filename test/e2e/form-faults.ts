/**
 * Runs in the page: what the browser would draw or say in place of the kit, placeholders that look like values, and columns whose heads stand
 * beside what they head, each fault in a line; an empty list for a whole screen.
 */
export function formFaults(): string[] {
  const faults: string[] = [];
  const visible = (element: Element): boolean => element.checkVisibility() && element.getBoundingClientRect().width > 1;
  const nameOf = (element: Element): string =>
    `${element.tagName.toLowerCase()} "${(element.getAttribute('aria-label') ?? element.id ?? '').slice(0, 40)}"`;

  const ofBrowser =
    'input:is([required], [pattern], [type=email], [type=url], [type=date], [type=time], [type=number]), select:not([aria-hidden]), textarea[required]';
  for (const field of document.querySelectorAll(ofBrowser))
    faults.push(`${nameOf(field)} has bubbles or arrows of the browser`);

  for (const field of document.querySelectorAll<HTMLInputElement>('input[placeholder]:placeholder-shown')) {
    if (!visible(field) || field.placeholder === '') continue;
    const [hint, value] = [getComputedStyle(field, '::placeholder'), getComputedStyle(field)];
    if (hint.color === value.color && hint.opacity === value.opacity) faults.push(`${nameOf(field)} looks filled in`);
  }

  for (const element of document.querySelectorAll('body *')) {
    const style = getComputedStyle(element);
    const scrolls = /auto|scroll/.test(`${style.overflowX} ${style.overflowY}`);
    if (!scrolls || !visible(element)) continue;
    // These properties bring the browser's own bars back, which end in arrows.
    if (style.scrollbarColor !== 'auto' || style.scrollbarWidth === 'thin')
      faults.push(`${nameOf(element)} has arrows`);
    const over = element.scrollHeight - element.clientHeight;
    // A dialog may be that much higher than the window, and the rows of a list than its room.
    if (
      /auto|scroll/.test(style.overflowY) &&
      over > 0 &&
      over <= 2 &&
      !element.matches('[role="dialog"], [role="grid"]')
    )
      faults.push(`${nameOf(element)} scrolls by ${over} px`);
  }

  const middle = (element: Element): number => {
    const { left, right } = element.getBoundingClientRect();
    return (left + right) / 2;
  };
  const textLeft = (field: Element): number => {
    const { borderLeftWidth, paddingLeft } = getComputedStyle(field);
    return field.getBoundingClientRect().left + parseFloat(borderLeftWidth) + parseFloat(paddingLeft);
  };
  for (const table of document.querySelectorAll('[role="grid"]')) {
    const heads = [...table.querySelectorAll('[role="columnheader"]')];
    const row = [...table.querySelectorAll('[role="row"]')].find(
      (each) => each.querySelector('[role="gridcell"]') !== null,
    );
    for (const [index, cell] of [...(row?.children ?? [])].entries()) {
      const head = heads[index];
      if (head === undefined) continue;
      const [above, below] = [head.querySelector('input'), cell.querySelector('input[type=checkbox]')];
      if (above && below && Math.abs(middle(above) - middle(below)) > 1)
        faults.push(`${nameOf(table)}: boxes are not aligned`);
      const field = table.querySelector<HTMLInputElement>(
        `[role="row"] > [role="gridcell"]:nth-child(${index + 1}) input:not([type=checkbox])`,
      );
      if (field !== null && Math.abs(textLeft(field) - head.getBoundingClientRect().left) > 1)
        faults.push(`${nameOf(table)}: the words below "${head.textContent}" do not begin where it begins`);
      const isEnd = (element: Element) => element.getAttribute('data-align') === 'end';
      if (isEnd(head) !== isEnd(cell))
        faults.push(`${nameOf(table)}: "${head.textContent}" is at the other side of its column`);
    }
  }
  for (const table of document.querySelectorAll('.gh-access-table')) {
    for (const [index, head] of [...table.querySelectorAll('thead th .gh-row')].entries()) {
      const tick = table.querySelector(`[data-position="0-${index}"] svg`);
      if (tick !== null && Math.abs(middle(head) - middle(tick)) > 2)
        faults.push(`"${head.textContent}" is not above its ticks`);
    }
  }
  return [...new Set(faults)];
}
