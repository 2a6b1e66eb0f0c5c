/** Profile and security in the console: what people change of their own account, and what the gateway then holds. */
import { Secret, TOTP } from 'otpauth'
import type { Locator, Page } from 'playwright-core'
import t from 'tap'
import { FakeClock } from '../kit/clock.js'
import { management } from '../kit/management.js'
import { earnReward } from '../kit/rewards.js'
import { mailServer } from '../kit/smtp.js'
import { findings } from './kit/axe.js'
import { noBrowser, openConsole, signIn } from './kit/browser.js'
import { inTheme, look, lookOnPhone, phone, tooWide } from './kit/look.js'
import { loseAnswer } from './kit/lost-answer.js'

const first = 'a battery of horses'
const second = 'a stable of staples'

t.test('a person looks after their account', { skip: noBrowser }, async (t) => {
  const clock = new FakeClock(Date.now())
  const console = await openConsole(t, { signedIn: false, clock })
  const { gateway, page, context, open, picture, expectError } = console
  const { admin, url } = gateway
  const { knex } = gateway.gateway.service('database')
  const post = await mailServer(t)
  await admin.option('SMTPServer', '127.0.0.1')
  await admin.option('SMTPPort', post.port)
  await admin.option('SMTPFrom', 'gate@example.com')
  const { id } = await admin.must('POST', '/api/user/', { username: 'ada', password: first })
  await admin.credit(id, 2_500_000)
  await earnReward(knex, id, 750_000)
  const user = () => admin.must('GET', `/api/user/${id}`)
  const elsewhere = management(url)
  const screen = page.viewportSize()!
  await elsewhere.login('ada', first)
  await signIn(context, url, { username: 'ada', password: first })
  expectError(/40[013]|429|ERR_FAILED/)

  /** On a screen and on a phone, light and dark. */
  async function lookEverywhere(name: string): Promise<void> {
    for (const [place, size] of Object.entries({ screen, phone })) {
      await page.setViewportSize(size)
      for (const theme of ['dark', 'light'] as const) {
        await inTheme(page, theme)
        await picture(`${name}-${place}-${theme}`)
        t.strictSame(await findings(page), [], `${name}, ${place}, ${theme}`)
      }
      t.equal(await tooWide(page), 0, `${name}, ${place}`)
    }
    await page.setViewportSize(screen)
  }

  await t.test('names and language are kept by the gateway', async (t) => {
    await open('/profile')
    await page.locator('input[name=display_name]').fill('Ada Lovelace')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.').waitFor()
    t.equal((await user()).display_name, 'Ada Lovelace')
    await page.getByTestId('person').getByText('Ada Lovelace').waitFor()
    await page.getByTestId('own-language').click()
    await page.locator('.n-base-select-option').getByText('中文').click()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: '个人资料与安全' }).waitFor()
    t.equal(JSON.parse((await user()).setting).language, 'zh')
    await picture('profile-zh')
    await page.getByTestId('own-language').click()
    await page.locator('.n-base-select-option').getByText('English').click()
    await page.getByRole('button', { name: '保存' }).click()
    await page.getByRole('heading', { name: 'Profile and security' }).waitFor()
    await picture('profile-light')
    t.strictSame(await findings(page), [])
  })

  await t.test('a mail address is bound by its code and a proof', async (t) => {
    const card = page.getByTestId('email')
    await card.locator('input[name=email]').fill('ada@example.com')
    await card.getByRole('button', { name: 'Send a code' }).click()
    await card.locator('input[name=verification_code]').waitFor()
    const code = await codeOf(() => post.mails)
    const typed = card.locator('input[name=verification_code]')
    await typed.fill(code === '0000-0000' ? '1111-1111' : '0000-0000')
    await typed.press('Enter')
    await picture('step-up-password')
    await byPassword(page, first)
    await card.locator('.n-form-item').getByText('The code is not right').waitFor()
    await typed.fill(code)
    await typed.press('Enter')
    await byPassword(page, first)
    await card.getByText('Verified').waitFor()
    t.match(await user(), { email: 'ada@example.com', email_verified: true })
  })

  await t.test(
    'a password is changed with the one before; other sessions end and this one goes on',
    async (t) => {
      t.equal((await elsewhere.call('GET', '/api/user/self')).status, 200)
      await open('/profile/security')
      const form = page.getByTestId('password')
      await form.locator('input[name=original_password]').fill('not this one')
      await form.locator('input[name=password]').fill(second)
      await form.locator('input[name=again]').fill(second)
      await form.getByRole('button', { name: 'Change password' }).click()
      await form.getByText('is not right').waitFor()
      t.equal(await form.locator('input[name=password]').inputValue(), second, 'nothing is lost')
      await form.locator('input[name=original_password]').fill(first)
      await form.getByRole('button', { name: 'Change password' }).click()
      await page.getByText('The password is changed').waitFor()
      t.equal((await elsewhere.call('GET', '/api/user/self')).status, 401)
      t.equal((await elsewhere.login('ada', second)).status, 200)
      await open('/profile/security')
    },
  )

  await t.test('sessions are listed, this one marked, and ended', async (t) => {
    const sessions = page.getByTestId('sessions').getByRole('listitem')
    await sessions.nth(1).waitFor()
    t.equal(await sessions.count(), 2)
    await sessions.filter({ hasText: 'This one' }).getByText('Chrome on Linux').waitFor()
    await page.getByTestId('end-others').click()
    await answerDialog(page, 'End all others')
    await page.getByText('Ended.').waitFor()
    await sessions.nth(1).waitFor({ state: 'detached' })
    t.equal((await elsewhere.call('GET', '/api/user/self')).status, 401)
    await sessions.getByRole('button', { name: 'End the session Chrome on Linux' }).click()
    await page.getByText('you will be signed out').waitFor()
    await answerDialog(page, 'End')
    await page.waitForURL('**/login')
    await signIn(context, url, { username: 'ada', password: second })
    await open('/profile/security')
  })

  await t.test(
    'an app is set up by its first code, its recovery codes renewed, and taken away',
    async (t) => {
      const card = page.getByTestId('app')
      await card.getByTestId('set-up-app').click()
      await byPassword(page, second)
      await card.getByRole('img', { name: 'QR code' }).waitFor()
      await page.locator('[data-test=app-setup]:focus').waitFor()
      const secret = (await card.getByTestId('secret').locator('code').innerText()).trim()
      const codes = card.getByTestId('recovery-codes').locator('li')
      const before = await codes.allInnerTexts()
      t.ok(before.length >= 8)
      await picture('app-setup')
      t.strictSame(await findings(page), [])
      const saved = page.waitForEvent('download')
      await card.getByRole('button', { name: 'Save as a file' }).click()
      t.equal((await saved).suggestedFilename(), 'recovery-codes.txt')
      await card.locator('input[name=first-code]').fill('000000')
      await card.getByRole('button', { name: 'Switch on' }).click()
      await card.getByText('is not right').waitFor()
      t.equal(await codes.count(), before.length, 'a wrong code loses nothing')
      await card.locator('input[name=first-code]').fill(codeNow(secret, clock))
      await card.getByRole('button', { name: 'Switch on' }).click()
      await card.getByText('In force').waitFor()
      const renew = card.getByRole('button', { name: 'New recovery codes' })
      await renew.and(page.locator(':focus')).waitFor()
      t.ok(await knex('totp').where({ user_id: id }).whereNotNull('enabled_at').first())
      clock.advance(30_000)
      await renew.click()
      await withCode(page, 'New recovery codes', codeNow(secret, clock))
      await codes.first().waitFor()
      const after = await codes.allInnerTexts()
      t.strictSame(
        [after.length, after.filter((code) => before.includes(code))],
        [before.length, []],
      )
      await card.getByRole('button', { name: 'Switch off' }).click()
      await withCode(page, 'Switch off', after[0] ?? '')
      await card.getByText('Not set up').waitFor()
      t.equal(await knex('totp').where({ user_id: id }).first(), undefined)
    },
  )

  await t.test(
    '[AUTH-4] an access token is made with a proof and scopes, shown once, listed, and ended',
    async (t) => {
      await page.getByTestId('make-token').click()
      const form = page.getByTestId('token-form')
      await form.locator('input[name=token-name]').fill('nightly report')
      await form.getByRole('button', { name: 'New access token' }).click()
      await form.getByText('Choose at least one.').waitFor()
      await form.getByTestId('account:read').click()
      await form.locator('input[name=lifetime_days]').fill('7')
      await lookEverywhere('access-token-form')
      await form.getByRole('button', { name: 'New access token' }).click()
      await byPassword(page, second)
      const token = (await page.getByTestId('access-token').locator('code').innerText()).trim()
      const headers = { authorization: `Bearer ${token}`, 'new-api-user': String(id) }
      const answer = await fetch(`${url}/api/user/self`, { headers })
      const { data } = (await answer.json()) as { data: { id: number } }
      t.equal(data.id, id)
      const keys = await fetch(`${url}/api/token/`, { headers })
      t.match(await keys.json(), { code: 'scope_missing' }, 'it opens what was chosen, no more')
      const [kept] = await knex('access_tokens').where({ user_id: id })
      const days = (kept.expires_at.getTime() - kept.created_at.getTime()) / 86_400_000
      t.equal(Math.round(days), 7)
      await open('/profile/security')
      t.equal(await page.getByTestId('access-token').count(), 0)
      const row = page.getByTestId('access-tokens').locator('li')
      await row.getByText('account:read').waitFor()
      await page.getByTestId('security-events').getByText('Access token made').first().waitFor()
      await lookEverywhere('access-tokens')
      await row.getByRole('button', { name: 'End the access token nightly report' }).click()
      await answerDialog(page, 'End')
      await row.waitFor({ state: 'detached' })
      t.equal((await fetch(`${url}/api/user/self`, { headers })).status, 401)
    },
  )

  await t.test(
    '[AUTH-10] the way of notices is kept, and its secret never comes back',
    async (t) => {
      await open('/profile/notices')
      const form = page.getByTestId('notices')
      const tests = () => post.mails.filter(({ text }) => text.includes('This is a test.')).length
      const mailed = tests()
      await form.getByTestId('test-notice').click()
      await page.getByText('Sent. Look whether it arrived.').waitFor()
      t.equal(tests(), mailed + 1)
      await form.getByTestId('way').click()
      await page.locator('.n-base-select-option').getByText('Webhook').click()
      await form.getByLabel('Address').fill('nonsense')
      await form.getByRole('button', { name: 'Save' }).click()
      await form.locator('.n-form-item').filter({ hasText: 'webhook_url' }).first().waitFor()
      await form.getByLabel('Address').fill('https://hooks.example/canary-of-ada')
      await form.getByLabel('Secret').fill('canary-of-ada')
      await form.getByTestId('threshold').locator('input').fill('2')
      await form.getByRole('button', { name: 'Save' }).click()
      await page.getByText('Saved.').waitFor()
      t.match(JSON.parse((await user()).setting), {
        notify_type: 'webhook',
        webhook_url: '',
        quota_warning_threshold: 1_000_000,
      })
      await form.getByTestId('test-notice').click()
      await page.getByText('It did not arrive').waitFor()
      await open('/profile/notices')
      await form.getByPlaceholder('Stored; leave blank to keep it').first().waitFor()
      t.equal(await form.getByPlaceholder('Stored; leave blank to keep it').count(), 2)
      t.notMatch(await page.content(), /canary-of-ada/)
    },
  )

  await t.test('[AUTH-6] [BILL-2] rewards are moved into the balance, once', async (t) => {
    await open('/profile/invitations')
    const link = (await page.getByTestId('invite-link').locator('code').innerText()).trim()
    const { aff_code } = await user()
    t.match(link, new RegExp(`/register\\?aff=${aff_code}$`))
    await page.getByTestId('transfer-amount').locator('input').fill('1.2')
    await page.route('**/aff_transfer', loseAnswer, { times: 1 })
    await page.getByRole('button', { name: 'Move rewards to the balance' }).click()
    await page.getByText('The gateway cannot be reached.').waitFor()
    await page.getByRole('button', { name: 'Move rewards to the balance' }).click()
    await page.getByText('$1.20 is in your balance now.').waitFor()
    t.match(await user(), { quota: 2_500_000 + 600_000, aff_quota: 150_000 })
    await page.getByText('You need at least $1.00 in rewards to move them.').waitFor()
  })

  await t.test('what the menu does not name looks right in each way', async (t) => {
    const parts = ['security', 'notices', 'invitations'].map((part) => `/profile/${part}`)
    await look(t, console, parts)
    await page.setViewportSize(phone)
    await lookOnPhone(t, console, parts)
    await page.setViewportSize({ width: 1280, height: 860 })
  })

  await t.test(
    '[AUTH-5] an account is deleted once its name is typed and a proof is shown',
    async (t) => {
      await open('/profile')
      await page.getByTestId('delete-account').click()
      const dialog = page.getByTestId('delete-dialog')
      await dialog.getByText('Your balance of $6.20 is lost.').waitFor()
      const button = dialog.getByRole('button', { name: 'Delete my account' })
      t.ok(await button.isDisabled(), 'not before the name is typed')
      await dialog.locator('input[name=confirm-name]').fill('ada')
      await picture('delete-account')
      t.strictSame(await findings(page), [])
      await button.click()
      await byPassword(page, second)
      await page.waitForURL('**/login')
      await page.getByText('Your account is deleted.').waitFor()
      t.equal((await management(url).login('ada', second)).status, 401)
      t.ok((await knex('users').where({ id }).first('deleted_at')).deleted_at)
    },
  )
})

async function byPassword(page: Page, password: string): Promise<void> {
  const dialog = page.getByTestId('step-up')
  await dialog.locator('input[type=password]').fill(password)
  await dialog.getByRole('button', { name: 'Confirm' }).click()
  await dialog.waitFor({ state: 'detached' })
}

async function withCode(page: Page, verb: string, code: string): Promise<void> {
  const dialog = page.getByTestId('code-dialog')
  await dialog.locator('input').fill(code)
  await dialog.getByRole('button', { name: verb }).click()
  await dialog.waitFor({ state: 'detached' })
}

function answerDialog(page: Page, verb: string): Promise<void> {
  const dialog: Locator = page.getByRole('dialog')
  return dialog.getByRole('button', { name: verb }).click()
}

function codeNow(secret: string, clock: FakeClock): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: clock.now() })
}

/** The mail may still be on its way, and be one of several. */
async function codeOf(mails: () => readonly { readonly text: string }[]): Promise<string> {
  for (;;) {
    const texts = mails().map(({ text }) => text)
    const code = /code is ([0-9a-z]{4}-[0-9a-z]{4})/.exec(texts.join('\n'))?.[1]
    if (code !== undefined) return code
    await new Promise((resolve) => setImmediate(resolve))
  }
}
