/**
 * The body of a chat completion, as JSON text, that one area hands to the Playground. In memory alone: it may hold what nobody
 * else should read. A model alone is handed over in the address, as `?model=`.
 */
let handed: string | undefined

export function handOver(body: string): void {
  handed = body
}

/** Once: whoever comes back later finds what they left. */
export function takeHanded(): string | undefined {
  const taken = handed
  handed = undefined
  return taken
}
