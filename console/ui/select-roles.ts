/**
 * States what a select of the component library is, and while it is open what it offers: to screen readers the library
 * does not expose it.
 */
const box = '.n-base-selection-label, .n-base-selection-tags'
const option = '.n-base-select-option'

const watched = new WeakSet<Element>()
const openMenus = new WeakMap<Element, MutationObserver>()
let ids = 0

/** Every select within, or the one this is part of. */
export function dressSelects(within: Element): void {
  const own = within.closest('.n-base-selection')
  for (const select of own ? [own] : within.querySelectorAll('.n-base-selection')) {
    follow(select)
    if (watched.has(select)) continue
    watched.add(select)
    const again = () => follow(select)
    new MutationObserver(again).observe(select, { attributeFilter: ['class'] })
    // One that can be searched is active as soon as it has the focus, and opens later.
    for (const event of ['click', 'keydown', 'input']) select.addEventListener(event, again)
  }
}

function follow(select: Element): void {
  const control = select.querySelector(box)
  if (control === null) return
  control.setAttribute('role', 'combobox')
  control.setAttribute('aria-haspopup', 'listbox')
  control.setAttribute('aria-expanded', String(openMenus.has(select)))
  const disabled = select.classList.contains('n-base-selection--disabled')
  control.setAttribute('aria-disabled', String(disabled))
  if (!isActive(select)) close(select, control)
  else if (!openMenus.has(select)) requestAnimationFrame(() => show(select, control))
}

function isActive(select: Element): boolean {
  return select.classList.contains('n-base-selection--active')
}

/** The list is drawn a moment later. */
const framesMax = 5

function show(select: Element, control: Element, frame = 1): void {
  if (openMenus.has(select) || !isActive(select)) return
  const menus = [...document.querySelectorAll<HTMLElement>('.n-base-select-menu')]
  const menu = menus.findLast((one) => one.checkVisibility() && !isLeaving(one))
  if (menu === undefined) {
    if (frame < framesMax) requestAnimationFrame(() => show(select, control, frame + 1))
    return
  }
  const tell = () => (isLeaving(menu) ? close(select, control) : offer(menu, control))
  const watcher = new MutationObserver(tell)
  watcher.observe(menu, { childList: true, subtree: true, attributeFilter: ['class'] })
  openMenus.set(select, watcher)
  tell()
}

function isLeaving(menu: Element): boolean {
  return [...menu.classList].some((name) => name.includes('-leave'))
}

function offer(menu: HTMLElement, control: Element): void {
  const options = [...menu.querySelectorAll(option)]
  menu.id ||= `select-menu-${++ids}`
  // A list of nothing is no list: it shows a sentence instead.
  if (options.length > 0) menu.setAttribute('role', 'listbox')
  else menu.removeAttribute('role')
  for (const one of options) {
    one.id ||= `select-option-${++ids}`
    one.setAttribute('role', 'option')
    one.setAttribute(
      'aria-selected',
      String(one.classList.contains('n-base-select-option--selected')),
    )
  }
  control.setAttribute('aria-expanded', 'true')
  const current = menu.querySelector(`${option}--pending`)
  for (const part of speakers(control)) {
    part.setAttribute('aria-controls', menu.id)
    if (current === null) part.removeAttribute('aria-activedescendant')
    else part.setAttribute('aria-activedescendant', current.id)
  }
}

function close(select: Element, control: Element): void {
  openMenus.get(select)?.disconnect()
  openMenus.delete(select)
  control.setAttribute('aria-expanded', 'false')
  for (const part of speakers(control)) {
    part.removeAttribute('aria-controls')
    part.removeAttribute('aria-activedescendant')
  }
}

/** One that can be searched has the focus in the input within it. */
function speakers(control: Element): readonly Element[] {
  return [control, ...control.querySelectorAll('input')]
}
