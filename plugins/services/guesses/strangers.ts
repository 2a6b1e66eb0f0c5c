/** How hard the proof is that strangers owe for one more try, by how many they had in the hour. */

/** From the first proof on, and with each doubling of the tries one bit more. */
const bitsMin = 15
const bitsMax = 20

/** Undefined: none is owed yet. */
export function bitsOwed(tries: number, free: number): number | undefined {
  if (tries < free) return undefined
  return Math.min(bitsMin + Math.floor(Math.log2(tries / free)), bitsMax)
}
