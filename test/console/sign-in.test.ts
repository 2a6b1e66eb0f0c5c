import { Secret, TOTP } from 'otpauth'
import t from 'tap'
import { noRateLimits } from '../kit/gateway.js'
import { management, root } from '../kit/management.js'
import { findings } from './kit/axe.js'
import { noBrowser, openConsole } from './kit/browser.js'
import { field, giveIn, guest, member, password, submit, until } from './kit/guests.js'
import { addPasskey, passkeyDevice } from './kit/passkeys.js'

t.test('coming in', { skip: noBrowser, timeout: 300_000 }, async (t) => {
  const testGateway = await openConsole(t, { signedIn: false })
  const { gateway, page, open, picture, expectError } = testGateway
  const { admin } = gateway
  expectError(/status of (?:401|400|403|409)/)

  await t.test(
    '[AUTH-8] a wrong password keeps the name, and nothing leads to another site',
    async (t) => {
      await open('/login?redirect=https%3A%2F%2Fother.example%2F')
      await giveIn(page, root.username, 'not the password')
      await page.getByText('User name or password is not right.').waitFor()
      t.equal(await field(page, 'username').inputValue(), root.username)
      await picture('login-wrong-light')
      t.strictSame(await findings(page), [])
      await giveIn(page, root.username)
      await page.waitForURL('**/dashboard')
      const other = await guest(t, testGateway)
      other.expectError(/401/)
      await other.open(`/login?redirect=${encodeURIComponent('/.//other.example')}`)
      await giveIn(other.page, root.username)
      await other.page.waitForURL(`${gateway.url}/dashboard`)
      const wishes = {
        '//other.example': '/dashboard',
        '/\\other.example': '/dashboard',
        'javascript:alert(1)': '/dashboard',
        '/.//other.example': '/dashboard',
        '/login?redirect=/login': '/dashboard',
        '/tokens?keyword=a': '/tokens?keyword=a',
      }
      // Who is signed in already is led on in the same way.
      for (const [wish, place] of Object.entries(wishes)) {
        await page.goto(`/login?redirect=${encodeURIComponent(wish)}`)
        await page.waitForURL(`${gateway.url}${place}`)
      }
    },
  )

  await t.test(
    'an account with an app signs in by its code, and once by each recovery code',
    async (t) => {
      await member(gateway, 'ada')
      const ada = management(gateway.url)
      await ada.login('ada', password)
      const proof = await ada.prove('two_factor')
      const { secret, backup_codes } = await ada.must('POST', '/api/user/2fa/setup', {}, proof)
      const app = new TOTP({ secret: Secret.fromBase32(secret) })
      // Codes of the app count once each, so the next one is that of the step after this.
      await ada.must('POST', '/api/user/2fa/enable', { code: app.generate() })

      const own = await guest(t, testGateway)
      own.expectError(/status of (?:401|403)/)
      await own.open('/login?redirect=%2Fmodels')
      await giveIn(own.page, 'ada')
      await own.page.locator('[data-test=second-step]').waitFor()
      await own.picture('second-step-light')
      t.strictSame(await findings(own.page), [])
      await field(own.page, 'code').fill('000000')
      await own.page.getByText('The code, password or passkey is not right.').waitFor()
      await field(own.page, 'code').fill(app.generate({ timestamp: Date.now() + 30_000 }))
      await own.page.waitForURL('**/models')
      await own.context.close()

      const lost = await guest(t, testGateway, { theme: 'dark' })
      lost.expectError(/status of 401/)
      await lost.open('/login')
      await giveIn(lost.page, 'ada')
      await lost.page.getByRole('button', { name: 'Use a recovery code' }).click()
      await field(lost.page, 'code').fill(backup_codes[0])
      await lost.picture('second-step-recovery-dark')
      await submit(lost.page).click()
      await lost.page.waitForURL('**/dashboard')
      await lost.context.close()
      const { backup_codes_remaining } = await ada.must('GET', '/api/user/2fa/status')
      t.equal(backup_codes_remaining, backup_codes.length - 1)
    },
  )

  await t.test(
    '[AUTH-4] a passkey is added with a proof, renamed, signs in whoever it belongs to, and goes',
    async (t) => {
      const at = gateway.url.replace('127.0.0.1', 'localhost')
      await admin.option('ServerAddress', at)
      await member(gateway, 'pat')
      const own = await guest(t, testGateway)
      own.expectError(/status of (?:401|403)/)
      await passkeyDevice(own.page)
      await own.open('/login')
      await own.page.getByTestId('passkey').click()
      await own.page.getByText('Passkeys of this gateway do not work at this address.').waitFor()
      await own.page.goto(`${at}/login?redirect=%2Fprofile%2Fsecurity`)
      await own.picture('login-passkey-light')
      await giveIn(own.page, 'pat')
      await addPasskey(own.page, 'Laptop', password)
      const card = own.page.getByTestId('passkeys')
      const add = card.getByTestId('add-passkey')
      await add.and(own.page.locator(':focus')).waitFor()
      await add.press('Enter')
      await own.page.keyboard.press('Enter')
      await own.page.getByTestId('step-up').getByRole('button', { name: 'Confirm' }).click()
      await card.getByText('This device has a passkey for this account already.').waitFor()
      await card.getByRole('button', { name: 'Cancel' }).click()
      await card.getByRole('button', { name: 'Rename the passkey Laptop' }).click()
      await field(own.page, 'passkey-name').fill('Desk')
      await own.picture('passkey-rename-light')
      await own.page.keyboard.press('Enter')
      await card.getByText('Desk', { exact: true }).waitFor()
      await own.picture('passkeys-light')
      t.strictSame(await findings(own.page), [])

      await own.page.getByTestId('person').click()
      await own.page.getByText('Sign out', { exact: true }).click()
      await own.page.waitForURL('**/login')
      await own.page.getByTestId('passkey').click()
      await own.page.waitForURL('**/dashboard')
      await own.page.goto(`${at}/profile/security`)
      await card.getByRole('button', { name: 'Delete the passkey Desk' }).click()
      await own.page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
      await own.page.getByTestId('step-up').getByRole('button', { name: 'Confirm' }).click()
      await card.getByText('Desk', { exact: true }).waitFor({ state: 'detached' })
      await own.context.close()
      const { knex } = gateway.gateway.service('database')
      t.equal((await knex('passkeys')).length, 0)
    },
  )
})

t.test(
  '[LIMIT-8] after too many sign-ins the page counts down and sends nothing before',
  { skip: noBrowser },
  async (t) => {
    const limited = { enabled: true, limit: 2, windowSeconds: 300 }
    const { page, open, picture, expectError } = await openConsole(t, {
      signedIn: false,
      environment: { rateLimits: { ...noRateLimits, login: limited } },
    })
    expectError(/status of (?:401|429)/)
    await open('/login')
    const statuses: number[] = []
    page.on('response', (answer) => {
      if (answer.url().endsWith('/api/user/login')) statuses.push(answer.status())
    })
    for (const tries of [1, 2, 3]) {
      await giveIn(page, 'nobody', 'wrong wrong')
      await until(() => statuses.length === tries)
    }
    const button = page.getByRole('button', { name: /^Try again in \d+ s$/ })
    await button.waitFor()
    await field(page, 'password').press('Enter')
    await page.waitForLoadState('networkidle')
    t.strictSame(statuses, [401, 401, 429])
    t.ok(await button.isDisabled())
    t.equal(await field(page, 'username').inputValue(), 'nobody')
    await picture('login-wait-light')
    t.strictSame(await findings(page), [])
  },
)
