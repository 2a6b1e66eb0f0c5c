/** The script of the bot challenge, loaded when a page first needs it. */
export interface Turnstile {
  /** Answers the id of the widget; undefined: it could not be drawn. */
  render(box: HTMLElement, terms: WidgetOptions): string | undefined
  reset(id: string): void
  remove(id: string): void
}

interface WidgetOptions {
  readonly sitekey: string
  readonly theme: 'light' | 'dark'
  readonly language: string
  readonly size: 'flexible'
  readonly callback: (token: string) => void
  readonly 'expired-callback': () => void
  readonly 'timeout-callback': () => void
  readonly 'unsupported-callback': () => void
  /** True: the failure has been shown. */
  readonly 'error-callback': (code?: string) => boolean
}

const origin = 'https://challenges.cloudflare.com'
const waitMs = 15_000

let loading: Promise<Turnstile> | undefined
let refused = false

/** Rejects where the script does not come; the next call tries anew. */
export function loadTurnstile(): Promise<Turnstile> {
  loading ??= loaded().catch((error: unknown) => {
    loading = undefined
    throw error
  })
  return loading
}

/** The page came before the challenge was switched on: its policy lets the script in only once it is loaded anew. */
export function isRefused(): boolean {
  return refused
}

document.addEventListener('securitypolicyviolation', ({ blockedURI }) => {
  refused ||= blockedURI.startsWith(origin)
})

function loaded(): Promise<Turnstile> {
  const script = document.createElement('script')
  script.src = `${origin}/turnstile/v0/api.js?render=explicit`
  script.async = true
  return new Promise<Turnstile>((resolve, reject) => {
    const fail = () => {
      clearTimeout(timer)
      script.remove()
      reject(new Error('the script of the bot challenge did not come'))
    }
    const timer = setTimeout(fail, waitMs)
    script.addEventListener('error', fail)
    script.addEventListener('load', () => {
      const { turnstile } = window as { readonly turnstile?: Turnstile }
      if (turnstile === undefined) return fail()
      clearTimeout(timer)
      resolve(turnstile)
    })
    document.head.append(script)
  })
}
