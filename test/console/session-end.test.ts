/** A session that ends under a page: what was typed stays, its person signs in over it, and the save goes on. */

import { Secret, TOTP } from 'otpauth'
import type { Page } from 'playwright-core'
import t from 'tap'
import { management, root } from '../kit/management.js'
import { findings } from './kit/axe.js'
import { type Console, noBrowser, openConsole, signIn } from './kit/browser.js'
import { field, giveIn, guest, member, password } from './kit/guests.js'
import { phone, tooWide } from './kit/look.js'

const ways = { skip: noBrowser, timeout: 240_000 }

t.test('a session that ends under a form', ways, async (t) => {
  const console = await openConsole(t)
  const { gateway, page, context, open, picture, expectError } = console
  const { admin } = gateway
  expectError(/status of 40[13]|\/live' failed/)
  const fields = { type: 1, key: 'k', base_url: 'https://up.example', group: 'default' }
  const id = await admin.channel({ ...fields, name: 'First', models: 'a' })
  const over = page.getByTestId('reentry')

  await t.test('[UI-2] who signs in over it has it saved, by one sign-in', async (t) => {
    await open(`/channels/${id}/settings`)
    await typed(page, 'Second')
    await endSession(console)
    const writes: string[] = []
    page.on('request', (one) => one.method() === 'PUT' && writes.push(keyOf(one)))
    let isAsked = false
    page.once('dialog', () => {
      isAsked = true
    })
    await save(page)
    await over.waitFor()
    t.equal(await over.count(), 1)
    t.equal(await field(page, 'username').inputValue(), root.username)
    await over.locator('input[name=password]:focus').waitFor()
    await picture('session-end-light')
    t.strictSame(await findings(page), [])
    await page.keyboard.type('not the password')
    await page.keyboard.press('Enter')
    await over.getByText('User name or password is not right.').waitFor()
    await field(page, 'password').fill(root.password)
    await page.keyboard.press('Enter')
    await page.getByText('Saved.').waitFor()
    t.equal(await over.count(), 0)
    t.equal(writes.length, 2)
    t.equal(writes[0], writes[1], 'it is one write')
    t.match(page.url(), new RegExp(`/channels/${id}/settings$`))
    t.match(await admin.must('GET', `/api/channel/${id}`), { name: 'Second' })
    await page.getByTestId('person').waitFor()
    t.notOk(isAsked, 'the browser has nothing to ask')
    page.removeAllListeners('dialog')
  })

  await t.test(
    'a reading of the account that left before the session ended changes nothing',
    async () => {
      await open(`/channels/${id}/settings`)
      const refused = page.waitForResponse((one) => one.status() === 401)
      const { hasLeft, release } = await heldReading(page)
      void refused.then(release)
      await shownAgain(page)
      await hasLeft
      await typed(page, 'Second and a half')
      await endSession(console)
      await save(page)
      await over.waitFor()
      await giveInOver(page, root.username)
      await page.getByText('Saved.').waitFor()
    },
  )

  await t.test('a page that is shown again asks by a reading of its own', async () => {
    await open(`/channels/${id}/settings`)
    const { hasLeft, release } = await heldReading(page)
    await shownAgain(page)
    await hasLeft
    await typed(page, 'Shown again')
    await endSession(console)
    await shownAgain(page)
    release()
    await over.waitFor()
    await giveInOver(page, root.username)
    await over.waitFor({ state: 'detached' })
  })

  await t.test('what is closed leaves the form, and the next save asks again', async (t) => {
    await open(`/channels/${id}/settings`)
    await typed(page, 'Third')
    await endSession(console)
    await save(page)
    await over.waitFor()
    await page.keyboard.press('Escape')
    await over.waitFor({ state: 'detached' })
    await page.getByText('Sign in first.').first().waitFor()
    t.equal(await page.locator('input[name=name]').inputValue(), 'Third')
    await save(page)
    await giveInOver(page, root.username)
    await page.getByText('Saved.').waitFor()
  })

  await t.test('[AUTH-2] of somebody else who signs in nothing is sent', async (t) => {
    await member(gateway, 'ada')
    await open(`/channels/${id}/settings`)
    await typed(page, 'Of root')
    await endSession(console)
    await save(page)
    await over.waitFor()
    await giveInOver(page, 'ada')
    await over.getByText('You are signed in as ada now.').waitFor()
    await picture('session-end-other-light')
    t.strictSame(await findings(page), [])
    t.match(await admin.must('GET', `/api/channel/${id}`), { name: 'Third' })
    await over.getByRole('button', { name: 'Go on as ada' }).click()
    await page.getByRole('button', { name: 'Account of ada' }).waitFor()
    t.match(await admin.must('GET', `/api/channel/${id}`), { name: 'Third' })
  })

  await t.test('another window that signs in is enough', async () => {
    await signIn(context, gateway.url, root)
    await open(`/channels/${id}/settings`)
    await typed(page, 'By window')
    await endSession(console)
    await save(page)
    await over.waitFor()
    const opened = context.waitForEvent('page')
    await over.getByRole('link', { name: 'in a new window' }).click()
    const second = await opened
    await giveIn(second, root.username)
    await page.getByText('Saved.').waitFor()
    await second.close()
  })

  await t.test('a second factor belongs to it, on a phone and in the dark', async (t) => {
    await member(gateway, 'eve')
    const eve = management(gateway.url)
    await eve.login('eve', password)
    const { secret } = await eve.must(
      'POST',
      '/api/user/2fa/setup',
      {},
      await eve.prove('two_factor'),
    )
    const app = new TOTP({ secret: Secret.fromBase32(secret) })
    const own = await guest(t, console, { theme: 'dark', viewport: phone })
    own.expectError(/status of 40[13]|\/live' failed/)
    await own.open('/login?redirect=%2Ftokens%2Fnew')
    await giveIn(own.page, 'eve')
    await own.page.waitForURL('**/tokens/new')
    await own.page.getByLabel('Name').fill('kept')
    await eve.must('POST', '/api/user/2fa/enable', { code: app.generate() })
    await endSession(own)
    // It is asked as soon as the page hears of it: something is typed.
    await shownAgain(own.page)
    await own.page.getByTestId('reentry').waitFor()
    await own.picture('session-end-phone-dark')
    t.strictSame(await findings(own.page), [])
    t.equal(await tooWide(own.page), 0)
    await giveInOver(own.page, 'eve')
    await field(own.page, 'code').fill(app.generate({ timestamp: Date.now() + 30_000 }))
    await own.page.getByTestId('reentry').waitFor({ state: 'detached' })
    t.equal(await own.page.getByLabel('Name').inputValue(), 'kept')
    await own.page.getByRole('button', { name: 'Create API key' }).click()
    await own.page.getByText('sk-').first().waitFor()
  })
})

async function typed(page: Page, name: string): Promise<void> {
  await page.locator('input[name=name]').fill(name)
}

/** As when the browser goes back to a page it kept: the account is read anew. */
async function shownAgain(page: Page): Promise<void> {
  await page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")
}

/** The next reading of the account reaches the server at once, and the page once it is released. */
async function heldReading(page: Page) {
  let left = () => {}
  let release = () => {}
  const hasLeft = new Promise<void>((resolve) => {
    left = resolve
  })
  const isReleased = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route(
    '**/api/user/self',
    async (route) => {
      const response = await route.fetch()
      left()
      await isReleased
      await route.fulfill({ response })
    },
    { times: 1 },
  )
  return { hasLeft, release: () => release() }
}

/** Pressed, whatever stands over the page by then. */
async function save(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Save', exact: true }).dispatchEvent('click')
}

/** As if it had run out: this browser holds none any more. */
async function endSession({ context }: Pick<Console, 'context'>): Promise<void> {
  await context.clearCookies()
}

async function giveInOver(page: Page, username: string): Promise<void> {
  const over = page.getByTestId('reentry')
  await over.locator('input[name=username]').fill(username)
  await over.locator('input[name=password]').fill(password)
  await over.locator('button[type=submit]').click()
}

function keyOf(request: { headers(): Record<string, string> }): string {
  return request.headers()['idempotency-key'] ?? ''
}
