/** Where the focus lands in a dialog or drawer that has something to fill in: in its first field, not on the cross. */
const fields = ['input', 'textarea', '[role=combobox]:not(:has(input))', '[role=switch]']
  .map((field) => `${field}:not(:disabled, [aria-disabled=true])`)
  .join(', ')

export function focusFirstField(within: HTMLElement | undefined): void {
  within?.querySelector<HTMLElement>(fields)?.focus({ preventScroll: true })
}
