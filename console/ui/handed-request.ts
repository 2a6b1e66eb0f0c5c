/** A request that one area hands to the Playground. In memory alone: it may hold what nobody else should read. */

export interface HandedRequest {
  readonly model: string
  /** A chat completion as JSON text. Absent: only the model is known. */
  readonly body?: string
}

let handed: HandedRequest | undefined

export function handOver(request: HandedRequest): void {
  handed = request
}

/** Once: whoever comes back later finds what they left. */
export function takeHanded(): HandedRequest | undefined {
  const taken = handed
  handed = undefined
  return taken
}
