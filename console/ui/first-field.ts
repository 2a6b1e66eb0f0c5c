/** Where the focus lands in a dialog or drawer that has something to fill in: in its first field, not on the cross. */
const fields = ['input', 'textarea', '[role=combobox]', '[role=switch]']
  .map((field) => `${field}:not(:disabled)`)
  .join(', ')

export function focusFirstField(within: HTMLElement | undefined): void {
  within?.querySelector<HTMLElement>(fields)?.focus({ preventScroll: true })
}
