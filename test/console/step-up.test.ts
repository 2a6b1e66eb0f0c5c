/** Showing once more who one is, in a real browser: by password, by the code of an app, by a passkey; and how long a session is believed. */
import { Secret, TOTP } from 'otpauth'
import type { BrowserContext, Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { FakeClock } from '../kit/clock.js'
import type { TestGateway } from '../kit/gateway.js'
import { management } from '../kit/management.js'
import { findings } from './kit/axe.js'
import { consoleOf, noBrowser, openConsole, signIn } from './kit/browser.js'
import { passkeyDevice } from './kit/passkeys.js'

const password = 'a battery of horses'

async function member({ admin }: TestGateway, username: string): Promise<number> {
  return (await admin.must('POST', '/api/user/', { username, password })).id
}

t.test('who somebody is', { skip: noBrowser }, async (t) => {
  const clock = new FakeClock(Date.now())
  const { gateway, context } = await openConsole(t, { signedIn: false, clock })
  /** One more person at the same gateway. */
  const window = async (t: Test, signedIn = false) => {
    return consoleOf(t, context.browser()!, gateway, { signedIn })
  }

  await t.test('[AUTH-4] who has a password alone shows that one', async (t) => {
    const { page, context, open, picture, expectError } = await window(t)
    expectError(/403/)
    await member(gateway, 'bob')
    await signIn(context, gateway.url, { username: 'bob', password })
    await open('/profile/security')
    await askToken(page)
    const dialog = page.getByTestId('step-up')
    await dialog.getByText('An access token acts for you until it ends').waitFor()
    await dialog.locator('input[type=password]').fill('not this one')
    await dialog.getByRole('button', { name: 'Confirm' }).click()
    await dialog.getByText('is not right').waitFor()
    await picture('step-up-wrong')
    t.strictSame(await findings(page), [])
    t.equal(await dialog.locator('input[type=password]').inputValue(), 'not this one')
    await dialog.locator('input[type=password]').fill(password)
    await dialog.getByRole('button', { name: 'Confirm' }).click()
    await page.getByTestId('access-token').waitFor()
  })

  await t.test('who cancels finds everything as it was typed', async (t) => {
    const { page, context, open, expectError } = await window(t)
    expectError(/403/)
    const id = await member(gateway, 'cleo')
    await signIn(context, gateway.url, { username: 'cleo', password })
    await open('/profile')
    await page.getByTestId('delete-account').click()
    const dialog = page.getByTestId('delete-dialog')
    await dialog.locator('input[name=confirm-name]').fill('cleo')
    await dialog.getByRole('button', { name: 'Delete my account' }).click()
    await page.getByTestId('step-up').waitFor()
    await page.keyboard.press('Escape')
    await page.getByTestId('step-up').waitFor({ state: 'detached' })
    t.equal(await dialog.locator('input[name=confirm-name]').inputValue(), 'cleo')
    t.equal(
      (await gateway.admin.must('GET', `/api/user/${id}`)).username,
      'cleo',
      'nothing happened',
    )
  })

  await t.test(
    '[AUTH-4] who has an app shows its code, and waits where it is locked',
    async (t) => {
      const { page, context, open, picture, expectError } = await window(t)
      expectError(/403|429/)
      await member(gateway, 'dora')
      const secret = await withApp(gateway, 'dora', clock)
      const code = () =>
        new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: clock.now() })
      const fresh = () => {
        clock.advance(30_000)
        return code()
      }
      await signInWithCode(context, gateway.url, 'dora', code())
      clock.advance(30_000)
      await open('/profile/security')
      await askToken(page)
      const dialog = page.getByTestId('step-up')
      t.equal(
        await dialog.locator('input[type=password]').count(),
        0,
        'the password does not suffice',
      )
      for (let tried = 1; tried <= 10; tried++) {
        await dialog.locator('input').fill(wrong(code()))
        const answer = page.waitForResponse('**/api/verify')
        await dialog.getByRole('button', { name: 'Confirm' }).click()
        t.equal((await answer).status(), 403)
        await dialog.getByText('is not right').waitFor()
      }
      await dialog.locator('input').fill(code())
      await dialog.getByRole('button', { name: 'Confirm' }).click()
      await dialog.getByText(/Too many .*Try again in \d+ s/).waitFor()
      const button = dialog.getByRole('button', { name: /Again in \d+ s/ })
      t.ok(await button.isDisabled(), '[LIMIT-8] the dialog itself waits')
      await picture('step-up-locked')
      await page.keyboard.press('Escape')
      // The tries of a session are its own: another one of the same person goes on.
      await signInWithCode(context, gateway.url, 'dora', fresh())
      clock.advance(30_000)
      await open('/profile/security')
      await askToken(page)
      await dialog.locator('input').fill(code())
      await dialog.getByRole('button', { name: 'Confirm' }).click()
      await page.getByTestId('access-token').waitFor()
    },
  )

  await t.test(
    '[AUTH-4] a passkey is added, shown in place of the password, and deleted',
    async (t) => {
      const { page, context, picture, expectError } = await window(t)
      expectError(/403/)
      const id = await member(gateway, 'eve')
      const { port } = new URL(gateway.url)
      const home = `http://localhost:${port}`
      await gateway.admin.option('passkey.rp_id', 'localhost')
      await gateway.admin.option('passkey.origins', home)
      await passkeyDevice(page)
      await signIn(context, home, { username: 'eve', password })
      const { knex } = gateway.gateway.service('database')
      const passkeys = () => knex('passkeys').where({ user_id: id }).select('name')

      await page.goto(`${home}/profile/security`)
      await page.getByTestId('add-passkey').click()
      await page.locator('input[name=passkey-name]').fill('Work laptop')
      await page.getByTestId('passkey-form').getByRole('button', { name: 'Add a passkey' }).click()
      const dialog = page.getByTestId('step-up')
      await dialog.locator('input[type=password]').fill(password)
      await dialog.getByRole('button', { name: 'Confirm' }).click()
      await page.getByTestId('passkeys').getByText('Work laptop').waitFor()
      t.strictSame(await passkeys(), [{ name: 'Work laptop' }])
      await picture('passkeys')
      t.strictSame(await findings(page), [])

      await askToken(page)
      await dialog.getByText('Use the passkey of this account.').waitFor()
      t.equal(
        await dialog.locator('input[type=password]').count(),
        0,
        'the password does not suffice',
      )
      await picture('step-up-passkey')
      await dialog.getByRole('button', { name: 'Confirm' }).click()
      await page.getByTestId('access-token').waitFor()

      await page.getByRole('button', { name: 'Delete the passkey Work laptop' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
      await dialog.getByRole('button', { name: 'Confirm' }).click()
      await page.getByTestId('passkeys').getByText('Work laptop').waitFor({ state: 'detached' })
      t.strictSame(await passkeys(), [])
    },
  )

  await t.test(
    '[UI-2] a session is believed for thirty seconds, then requested once',
    async (t) => {
      const { page } = await window(t, true)
      await page.clock.install()
      let requestCount = 0
      page.on('request', (request) => {
        if (new URL(request.url()).pathname === '/api/user/self') requestCount++
      })
      // A page without the menu: nothing on it asks by itself.
      await page.goto('/forbidden')
      await page.getByText('This page is for others').waitFor()
      await page.waitForLoadState('networkidle')
      t.equal(requestCount, 1)
      for (const path of ['/nowhere', '/forbidden']) await within(page, path)
      t.equal(requestCount, 1, 'within thirty seconds nothing is queried')
      await page.clock.fastForward(20_000)
      await within(page, '/nowhere')
      t.equal(requestCount, 1, 'nor twenty seconds later')
      await page.clock.fastForward(10_000)
      await within(page, '/forbidden')
      t.equal(requestCount, 2)
      await within(page, '/nowhere')
      t.equal(requestCount, 2, 'once')
    },
  )

  await t.test(
    '[UI-2] a session ended elsewhere leads to the login, and back to where one was',
    async (t) => {
      const { page, context, open, expectError } = await window(t)
      expectError(/401/)
      await member(gateway, 'gwen')
      await signIn(context, gateway.url, { username: 'gwen', password })
      await open('/profile/invitations')
      const elsewhere = management(gateway.url)
      await elsewhere.login('gwen', password)
      await elsewhere.must('POST', '/api/user/sessions/revoke-others', {})
      await page.getByRole('link', { name: 'Security', exact: true }).click()
      await page.waitForURL(/\/login\?/)
      await page.locator('input[name=username]').fill('gwen')
      await page.locator('input[name=password]').fill(password)
      await page.locator('button[type=submit]').click()
      await page.waitForURL(/\/profile\//)
      await page.getByRole('heading', { name: 'Profile and security' }).waitFor()
    },
  )
})

async function askToken(page: Page): Promise<void> {
  await page.getByTestId('make-token').click()
  const form = page.getByTestId('token-form')
  await form.locator('input[name=token-name]').fill('script')
  await form.getByText('Read everything I can read').click()
  await form.getByRole('button', { name: 'New access token' }).click()
  await page.getByTestId('step-up').waitFor()
}

/** Goes to a page without loading the console anew. */
async function within(page: Page, path: string): Promise<void> {
  await page.evaluate(
    `(() => { history.pushState({}, '', '${path}'); dispatchEvent(new PopStateEvent('popstate', { state: {} })) })()`,
  )
  const heading =
    path === '/nowhere' ? 'There is no page at this address' : 'This page is for others'
  await page.getByText(heading).waitFor()
}

/** The account gets an app; its secret comes back. */
async function withApp({ url }: TestGateway, username: string, clock: FakeClock): Promise<string> {
  const person = management(url)
  await person.login(username, password)
  const { secret } = await person.must(
    'POST',
    '/api/user/2fa/setup',
    {},
    await person.prove('two_factor', password),
  )
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: clock.now() })
  await person.must('POST', '/api/user/2fa/enable', { code })
  clock.advance(30_000)
  return secret
}

async function signInWithCode(
  context: BrowserContext,
  url: string,
  username: string,
  code: string,
): Promise<void> {
  const begun = await context.request.post(`${url}/api/user/login`, {
    data: { username, password },
  })
  const { data } = await begun.json()
  const { flow_token } = data
  const answer = await context.request.post(`${url}/api/user/login/2fa`, {
    data: { code, flow_token },
  })
  if (!answer.ok()) throw new Error(`the second step answered ${answer.status()}`)
}

function wrong(code: string): string {
  return String((Number(code) + 1) % 1_000_000).padStart(6, '0')
}
