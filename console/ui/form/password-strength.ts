/** How hard a password is to guess, roughly: by its length and by how many kinds of characters it has. */
export type Strength = 'none' | 'short' | 'weak' | 'fair' | 'strong'

/** As the gateway asks (characters, and bytes at most). */
export const passwordLengthMin = 8
const passwordBytesMax = 128

const kinds = [/\p{Ll}/u, /\p{Lu}/u, /\p{N}/u, /[^\p{L}\p{N}]/u] as const

export function strengthOf(password: string): Strength {
  const length = [...password].length
  if (length === 0) return 'none'
  if (password.length < passwordLengthMin) return 'short'
  const points = length + 3 * kinds.filter((kind) => kind.test(password)).length
  // The same few characters again and again.
  if (new Set(password).size < 5) return 'weak'
  if (points < 16) return 'weak'
  return points < 22 ? 'fair' : 'strong'
}

export function tooLong(password: string): boolean {
  return new TextEncoder().encode(password).length > passwordBytesMax
}
