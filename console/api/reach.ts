/** Whether the gateway can be reached, as requests find out: since when not, and what is shown is as old as that. */
import { ref } from 'vue'

/** When the last response came, in milliseconds, while none comes; undefined: it can be reached. */
export const lostSince = ref<number>()

const tryMs = 2_000
const patienceMs = 3_000
let heardAt = Date.now()
let isTrying = false
let back: () => void = () => undefined

/** Called once the gateway is back. */
export function whenBack(run: () => void): void {
  back = run
}

export function reached(): void {
  heardAt = Date.now()
}

/** A request, or the socket, came to nothing: one try more decides, and further ones tell when it is over. */
export async function doubted(): Promise<void> {
  if (isTrying) return
  isTrying = true
  const lastAt = heardAt
  while (!(await isThere())) {
    lostSince.value ??= lastAt
    await new Promise((resolve) => setTimeout(resolve, tryMs))
  }
  isTrying = false
  if (lostSince.value === undefined) return
  lostSince.value = undefined
  back()
}

/** Any response of the gateway counts; one that a proxy sends in its place does not. */
async function isThere(): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(patienceMs)
    const { status } = await fetch('/api/setup', { signal, credentials: 'omit' })
    return !isAbsent(status)
  } catch {
    return false
  }
}

export function isAbsent(status: number): boolean {
  return status >= 502 && status <= 504
}
