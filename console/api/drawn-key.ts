/** 128 random bits as text. Not `randomUUID`: pages that came by plain HTTP from another machine have none. */
export function drawnKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
