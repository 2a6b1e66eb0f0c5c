/** Where root requires a second factor of admins: the console leads one without to the page where it is set up. */
import { Secret, TOTP } from 'otpauth'
import t from 'tap'
import { FakeClock } from '../kit/clock.js'
import { findings } from './kit/axe.js'
import { noBrowser, openConsole, signIn } from './kit/browser.js'
import { inTheme, phone, tooWide } from './kit/look.js'

const password = 'a battery of horses'

t.test('an admin without a required second factor', { skip: noBrowser }, async (t) => {
  const clock = new FakeClock(Date.now())
  const console = await openConsole(t, { signedIn: false, clock })
  const { gateway, page, context, open, picture, expectError } = console
  const { admin, url } = gateway
  const codeNow = (secret: string) =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: clock.now() })
  await admin.must('POST', '/api/user/', { username: 'boss', password, role: 10 })
  await admin.must('POST', '/api/user/', { username: 'ada', password, role: 1 })
  const { secret } = await admin.must(
    'POST',
    '/api/user/2fa/setup',
    {},
    await admin.prove('two_factor'),
  )
  await admin.must('POST', '/api/user/2fa/enable', { code: codeNow(secret) })
  await admin.option('AdminSecondFactorRequired', true)
  // What the shell reads of a page the admin is not led to.
  expectError(/status of 40[13]/)

  await t.test('[AUTH-2] every page of the console leads to the page of the factors', async (t) => {
    await signIn(context, url, { username: 'boss', password })
    for (const path of ['/channels', '/users', '/options', '/profile', '/playground']) {
      await open(path)
      await page.getByTestId('factor-first').waitFor()
      t.equal(new URL(page.url()).pathname, '/profile/security', path)
    }
    t.equal(await page.getByTestId('password').count(), 0, 'only the factors are shown')
    t.equal(await page.getByTestId('sessions').count(), 0)
    await picture('required-factor')
    t.strictSame(await findings(page), [])
    await page.setViewportSize(phone)
    t.equal(await tooWide(page), 0)
    await inTheme(page, 'dark')
    await picture('required-factor-phone-dark')
    t.strictSame(await findings(page), [])
  })

  await t.test('[AUTH-2] with the factor set up the whole console opens', async (t) => {
    const card = page.getByTestId('app')
    await card.getByTestId('set-up-app').click()
    const stepUp = page.getByTestId('step-up')
    await stepUp.locator('input[type=password]').fill(password)
    await stepUp.getByRole('button', { name: 'Confirm' }).click()
    const code = (await card.getByTestId('secret').locator('code').innerText()).trim()
    await card.locator('input[name=first-code]').fill(codeNow(code))
    await card.getByRole('button', { name: 'Switch on' }).click()
    await card.getByText('In force').waitFor()
    await page.getByTestId('factor-first').waitFor({ state: 'detached' })
    await page.getByTestId('sessions').waitFor()
    await open('/channels')
    t.equal(new URL(page.url()).pathname, '/channels')
  })

  await t.test('[AUTH-2] users who are no admins need none', async (t) => {
    await context.clearCookies()
    await signIn(context, url, { username: 'ada', password })
    await open('/tokens')
    t.equal(new URL(page.url()).pathname, '/tokens')
  })
})
