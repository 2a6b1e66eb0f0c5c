/** The invitation somebody came with, kept in this tab until they have joined. */
const kept = 'waybill.invitation'

export function invitationFrom(value: unknown): string {
  if (typeof value === 'string' && value !== '') {
    const code = value.slice(0, 64)
    try {
      sessionStorage.setItem(kept, code)
    } catch {
      // It counts as long as the address names it.
    }
    return code
  }
  try {
    return sessionStorage.getItem(kept) ?? ''
  } catch {
    return ''
  }
}
