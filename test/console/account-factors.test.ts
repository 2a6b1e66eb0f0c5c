/** What opens an account: how good a password is, and an account that a passkey alone opens. */
import t from 'tap'
import { management } from '../kit/management.js'
import { findings } from './kit/axe.js'
import { noBrowser, openConsole, signIn } from './kit/browser.js'
import { addPasskey, passkeyDevice } from './kit/passkeys.js'

const password = 'a battery of horses'

t.test('what opens an account', { skip: noBrowser }, async (t) => {
  const console = await openConsole(t, { signedIn: false })
  const { gateway, page, context, open, picture, expectError } = console
  const { admin, url } = gateway
  await admin.option('ServerAddress', url.replace('127.0.0.1', 'localhost'))
  const address = (path: string) => `${url.replace('127.0.0.1', 'localhost')}${path}`
  await admin.must('POST', '/api/user/', { username: 'ada', password, role: 1 })
  expectError(/status of 40[013]/)

  await t.test('[AUTH-1] the meter follows what is typed, from weak to strong', async (t) => {
    await signIn(context, url, { username: 'ada', password })
    await open('/profile/security')
    const form = page.getByTestId('password')
    const typed = form.locator('input[name=password]')
    for (const [text, step] of [
      ['short', 'short'],
      ['password1', 'weak'],
      ['correct horse battery staple of nineteen owls', 'strong'],
    ] as const) {
      await typed.fill(text)
      await form.locator(`.meter.${step}`).waitFor({ state: 'attached' })
    }
    await picture('password-strong')
    t.strictSame(await findings(page), [])
  })

  await t.test(
    '[AUTH-5] the password is switched off where a passkey opens the account',
    async (t) => {
      await context.clearCookies()
      await passkeyDevice(page)
      await signIn(context, address(''), { username: 'ada', password })
      await page.goto(address('/profile/security'))
      await addPasskey(page, 'laptop', password)
      await page.getByTestId('password-login').click()
      const ask = page.getByRole('dialog')
      await ask.getByRole('button', { name: 'Switch the password off' }).click()
      const stepUp = page.getByTestId('step-up')
      await stepUp.waitFor()
      await stepUp.getByRole('button', { name: 'Confirm' }).click()
      await page.getByText('only your passkeys open this account').waitFor()
      await picture('passkey-only')
      t.strictSame(await findings(page), [])
      t.equal((await management(url).login('ada', password)).status, 401)
    },
  )
})
