/**
 * The parts of which the component library makes its controls, so that each of them is named: a select and a date picker
 * have an input within the part one comes to.
 */

export const controls = [
  ...['.n-date-picker .n-input', '.n-base-selection-label', '.n-base-selection-tags'],
  ...['input', 'textarea', '[role=switch]', '[role=combobox]', '[role=slider]', '[tabindex]'],
].join(', ')

export interface ControlPart {
  readonly element: HTMLElement
  /** Tells it from another of the same control: start and end of a span. */
  readonly place: string
}

/** What there is to be named of one control. */
export function partsOf(control: HTMLElement): readonly ControlPart[] {
  const inputs = [...control.querySelectorAll<HTMLInputElement>('input')]
  const isSpan = control.matches('.n-input--pair')
  if (inputs.length > 0 && control.matches('.n-input')) control.setAttribute('role', 'group')
  const within = inputs.map((element) => ({ element, place: isSpan ? element.placeholder : '' }))
  return [{ element: control, place: '' }, ...within]
}
