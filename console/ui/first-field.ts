/** Where the focus lands in a dialog or drawer that has something to fill in: in the field that asks for it, or the first, not on the cross. */
const fields = ['input', 'textarea', '[role=combobox]:not(:has(input))', '[role=switch]']
  .map((field) => `${field}:not(:disabled, [aria-disabled=true])`)
  .join(', ')

export function focusFirstField(within: HTMLElement | undefined): void {
  const field = within?.querySelector<HTMLElement>('[data-autofocus] :is(input, textarea)')
  const first = field ?? within?.querySelector<HTMLElement>(fields)
  first?.focus({ preventScroll: true })
}
