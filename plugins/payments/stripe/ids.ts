/** Objects of Stripe stand for themselves or by their id. */

export function idOf(
  value: string | { readonly id: string } | null | undefined,
): string | undefined {
  return (typeof value === 'string' ? value : value?.id) ?? undefined
}
