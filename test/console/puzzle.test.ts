/** The puzzle of the gateway in a real browser: the page solves it by itself, and states why it takes a moment. */
import type { Page } from 'playwright-core'
import t from 'tap'
import { noRateLimits } from '../kit/gateway.js'
import { management } from '../kit/management.js'
import { findings } from './kit/axe.js'
import { noBrowser, openConsole } from './kit/browser.js'
import { giveIn, member, until } from './kit/guests.js'

/** What the note stated, however short it stood there: a puzzle may be solved by the first try. */
async function heard(page: Page): Promise<() => Promise<string>> {
  await page.addInitScript(`new MutationObserver(() => {
    const note = document.querySelector('[data-test=puzzle]')
    if (note) window.puzzleNote = note.textContent
  }).observe(document, { childList: true, subtree: true })`)
  return async () => {
    let note: string | undefined
    // A predicate that the page itself calls again and again is not allowed by its policy.
    await until(async () => {
      note = await page.evaluate<string | undefined>('window.puzzleNote')
      return note !== undefined
    })
    return note!
  }
}

const login = { enabled: true, limit: 10, windowSeconds: 900 }

t.test(
  '[LIMIT-5] who signs in while strangers guess gets in by the console',
  {
    skip: noBrowser,
    timeout: 300_000,
  },
  async (t) => {
    const testGateway = await openConsole(t, {
      signedIn: false,
      environment: { rateLimits: { ...noRateLimits, login }, trustedProxies: ['127.0.0.1'] },
    })
    const { gateway, page, open, picture, expectError } = testGateway
    expectError(/status of (?:401|403)/)
    await member(gateway, 'ada')
    for (let at = 0; at < 25; at++) {
      const body = { username: 'ada', password: 'a guess of theirs' }
      const address = { 'x-forwarded-for': `9.1.${at}.1` }
      const { status } = await management(gateway.url).call(
        'POST',
        '/api/user/login',
        body,
        address,
      )
      t.equal(status, at < 20 ? 401 : 403)
    }

    const contentOf = await heard(page)
    await open('/login')
    await giveIn(page, 'ada')
    t.match(await contentOf(), /solving a short challenge/)
    await page.waitForURL('**/dashboard')
    t.equal(await page.locator('[data-test=puzzle]').count(), 0)

    // The browser is known now, and nothing is queried of it.
    let puzzles = 0
    page.on('response', (response) => {
      if (response.headers()['x-challenge'] !== undefined) puzzles += 1
    })
    await page.goto('about:blank')
    await testGateway.context.clearCookies({ name: 'session' })
    await open('/login')
    await giveIn(page, 'ada')
    await page.waitForURL('**/dashboard')
    t.equal(puzzles, 0)
    await picture('login-known-browser')
    t.strictSame(await findings(page), [])
  },
)

t.test('[LIMIT-5] the note is in the language of the page', { skip: noBrowser }, async (t) => {
  const testGateway = await openConsole(t, {
    signedIn: false,
    locale: 'zh-CN',
    environment: { rateLimits: { ...noRateLimits, login }, trustedProxies: ['127.0.0.1'] },
  })
  const { gateway, page, open, expectError } = testGateway
  expectError(/status of (?:401|403)/)
  for (let at = 0; at < 20; at++) {
    const body = { username: 'nobody', password: 'a guess of theirs' }
    const address = { 'x-forwarded-for': `9.2.${at}.1` }
    await management(gateway.url).call('POST', '/api/user/login', body, address)
  }
  const contentOf = await heard(page)
  await open('/login')
  await giveIn(page, 'nobody')
  t.match(await contentOf(), /浏览器正在计算/)
})
