/** What an answer cost, from the usage log, which has it as soon as the request is settled. */
import { readCharge } from '../../api/playground.js'
import type { Answer } from './conversation.js'

/** Milliseconds before each look: a request that was stopped is settled a little later. */
const waits = [0, 1_000, 4_000]

/** Undefined: it cost nothing that is known of, such as an answer that failed. */
export async function chargeOf({ requestId, state }: Answer): Promise<string | undefined> {
  if (requestId === '' || state === 'failed') return undefined
  for (const wait of waits) {
    await new Promise((resolve) => setTimeout(resolve, wait))
    const charge = await readCharge(requestId).catch(() => undefined)
    if (charge !== undefined) return charge
  }
  return undefined
}
