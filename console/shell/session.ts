/**
 * Who is signed in. The server's response holds for thirty seconds (UI-2); after that the next page reads it anew, so that
 * nobody works on in a session that is over. Tabs of one browser share their session and notify each other when it changes.
 */
import { defineStore } from 'pinia'
import { computed, shallowRef } from 'vue'
import { ApiFailure } from '../api/failure.js'
import { readSelf, type Self, signOut } from '../api/self.js'
import { queryClient } from './queries.js'
import { reentry } from './reentry/reentry.js'
import { keepingLooks } from './remembered.js'

/** UI-2. */
const sessionWindowMs = 30_000

export const useSession = defineStore('session', () => {
  const self = shallowRef<Self>()
  let verifiedAt = Number.NEGATIVE_INFINITY
  let reading: Promise<Self | undefined> | undefined
  /** Returns whether the page stays as it is. */
  let over: () => boolean = () => false
  /** How often somebody has signed in over a page. */
  const returns = shallowRef(0)
  const tabs = new BroadcastChannel('waybill.session')
  tabs.onmessage = ({ data }) => {
    if (reentry.pending.value !== undefined && data !== undefined) void returned()
    else if (self.value !== undefined && self.value.id !== data) read().catch(() => undefined)
  }

  /** Undefined: nobody. Rejects where that cannot be known. */
  function read(): Promise<Self | undefined> {
    if (reentry.pending.value !== undefined) return Promise.resolve(undefined)
    reading ??= answered().finally(() => {
      reading = undefined
    })
    return reading
  }

  /** As `read`, but by a request that leaves after this call: one on its way may have left before the session ended. */
  async function readAnew(): Promise<Self | undefined> {
    await reading?.catch(() => undefined)
    return read()
  }

  async function answered(): Promise<Self | undefined> {
    try {
      const now = await readSelf()
      const before = self.value?.id
      self.value = now
      verifiedAt = performance.now()
      if (before !== now.id) changed(now.id)
    } catch (error) {
      if (!(error instanceof ApiFailure && error.signedOut)) throw error
      if (self.value !== undefined && over()) return undefined
      forget()
    }
    return self.value
  }

  /** Called once the session has ended; where it returns true, nothing of the page is forgotten. */
  function whenOver(run: () => boolean): void {
    over = run
  }

  /** Somebody has signed in over the page: goes on where it is the same person. */
  async function returned(): Promise<void> {
    const now = await readSelf()
    if (now.id !== self.value?.id) {
      reentry.other.value = now
      return
    }
    self.value = now
    verifiedAt = performance.now()
    returns.value += 1
    tabs.postMessage(now.id)
    reentry.pending.value?.answer(true)
  }

  /** As `read`, but a response within the window is used again. */
  async function verified(): Promise<Self | undefined> {
    const fresh = performance.now() - verifiedAt < sessionWindowMs
    return fresh ? self.value : read()
  }

  function forget(): void {
    self.value = undefined
    verifiedAt = performance.now()
    changed()
  }

  /** What was read for one person is not for the next. */
  function changed(id?: number): void {
    queryClient.clear()
    tabs.postMessage(id)
  }

  async function leave(): Promise<void> {
    await keepingLooks(signOut)
    forget()
  }

  const role = computed(() => self.value?.role ?? 0)
  return { self, role, returns, read, readAnew, verified, forget, leave, whenOver, returned }
})
