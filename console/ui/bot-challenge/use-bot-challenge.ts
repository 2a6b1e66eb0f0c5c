/**
 * The bot challenge of a page (AUTH-7): each request that needs one takes a token, which counts once, and waits for
 * the next where there is none yet. Where the gateway requires no challenge, requests go out as they are.
 */
import { computed, onScopeDispose, reactive, ref } from 'vue'
import { useI18n } from 'vue-i18n'
import { ApiFailure } from '../../api/failure.js'
import { useSite } from '../../shell/site.js'
import { TokenQueue } from './token-queue.js'

export interface BotChallenge {
  /** Undefined: none is required. */
  readonly siteKey: string | undefined
  /** Something waits to be sent. */
  readonly waiting: boolean
  /** How many tokens were used up: after each the widget has to make another. */
  readonly used: number
  readonly failed: boolean
  pass<Answer>(send: (token: string | undefined) => Promise<Answer>): Promise<Answer>
  /** Messages of the widget. */
  solved(token: string): void
  expired(): void
  fail(): void
  /** Reads anew whether a challenge is required, and tries again. */
  again(): Promise<void>
}

export function useBotChallenge(): BotChallenge {
  const { t } = useI18n()
  const site = useSite()
  const siteKey = computed(() =>
    site.status?.turnstile_check ? site.status.turnstile_site_key : undefined,
  )
  const used = ref(0)
  const failed = ref(false)
  const tokens = new TokenQueue()
  /** Runs while a new try begins: what is sent meanwhile waits for it. */
  let beginning: Promise<void> | undefined
  const missing = () => new ApiFailure(t('shell.challenge.missing'), 0, 'challenge_missing')

  function taken(): Promise<string> {
    return failed.value ? Promise.reject(missing()) : tokens.next()
  }

  async function pass<Answer>(
    send: (token: string | undefined) => Promise<Answer>,
  ): Promise<Answer> {
    await beginning
    const isNeeded = siteKey.value !== undefined
    try {
      return await send(isNeeded ? await taken() : undefined)
    } catch (error) {
      if (!(error instanceof ApiFailure && error.code === 'challenge_required')) throw error
      // Whoever has had this page open for long may not know yet that there is a challenge.
      if (!isNeeded) await site.load()
      throw new ApiFailure(t('shell.challenge.refused'), error.status, error.code)
    } finally {
      if (isNeeded) used.value += 1
    }
  }

  async function begin(): Promise<void> {
    await site.load()
    failed.value = false
  }

  onScopeDispose(() => tokens.refuse(missing))
  return reactive({
    siteKey,
    waiting: computed(() => tokens.waiters.value.length > 0),
    used,
    failed,
    pass,
    solved(token: string) {
      failed.value = false
      tokens.put(token)
    },
    expired: () => tokens.drop(),
    fail() {
      failed.value = true
      tokens.drop()
      tokens.refuse(missing)
    },
    again: () => (beginning = begin().finally(() => (beginning = undefined))),
  })
}
