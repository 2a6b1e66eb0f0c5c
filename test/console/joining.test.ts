/** Joining and a lost password, in a real browser with real mails. */
import t from 'tap'
import { management } from '../kit/management.js'
import { decoded, mailServer } from '../kit/smtp.js'
import { findings } from './kit/axe.js'
import { noBrowser, openConsole } from './kit/browser.js'
import { field, giveIn, guest, member, password, submit, until } from './kit/guests.js'

t.test('joining', { skip: noBrowser, timeout: 300_000 }, async (t) => {
  const testGateway = await openConsole(t, { signedIn: false })
  const { gateway, page, open, picture, expectError } = testGateway
  const { admin } = gateway
  expectError(/status of (?:401|400|403|409|429|503)/)

  await t.test('who is invited joins by form, and their faults stand at the fields', async (t) => {
    await member(gateway, 'host')
    await admin.option('QuotaForInvitee', 500_000)
    const host = management(gateway.url)
    await host.login('host', password)
    const code = await host.must('GET', '/api/user/aff')
    await open(`/sign-up?aff=${code}`)
    await page.getByText(`You were invited with the code ${code}.`).waitFor()
    await picture('register-light')
    t.strictSame(await findings(page), [])
    await giveIn(page, 'host')
    await page.getByText('This user name is taken.').waitFor()
    await picture('register-fault-light')
    t.strictSame(await findings(page), [])
    await page.goto('/register')
    // The code outlives the address.
    await page.locator('[data-test=invitation]').waitFor()
    await giveIn(page, 'guest')
    await page.waitForURL('**/dashboard')
    const { items } = await admin.must('GET', '/api/user/search?keyword=guest')
    t.match(items[0], { username: 'guest', quota: 500_000 })
  })

  await t.test(
    'consent is requested where there are texts, and joining waits for it',
    async (t) => {
      await admin.option('legal.user_agreement', '# Terms\n\nBe kind.')
      const own = await guest(t, testGateway, { theme: 'dark' })
      own.expectError(/401/)
      await own.open('/register')
      t.ok(await submit(own.page).isDisabled())
      await own.picture('register-consent-dark')
      t.strictSame(await findings(own.page), [])
      await own.page.locator('[data-test=agreed]').click()
      await giveIn(own.page, 'consenting')
      await own.page.waitForURL('**/dashboard')
      await admin.option('legal.user_agreement', '')
      await own.context.close()
    },
  )

  await t.test(
    'an address is shown to be theirs by a code, and a lost password comes back by mail',
    async (t) => {
      const { port, mails } = await mailServer(t)
      await admin.option('SMTPServer', '127.0.0.1')
      await admin.option('SMTPPort', port)
      await admin.option('SMTPFrom', 'gateway@example.com')
      await admin.option('EmailVerificationEnabled', true)
      await admin.option('ServerAddress', gateway.url)
      const newest = async (count: number) => {
        await until(() => mails.length >= count)
        return decoded(mails.at(-1)!.text)
      }
      const own = await guest(t, testGateway)
      own.expectError(/status of (?:400|401|429)/)
      await own.open('/register')
      await field(own.page, 'email').fill('lin@example.com')
      await own.page.locator('[data-test=send-code]').click()
      await own.page.getByText('Sent to lin@example.com').waitFor()
      await own.page.getByRole('button', { name: /^Again in \d+ s$/ }).waitFor()
      const [, code = ''] = /code is ([0-9a-z]{4}-[0-9a-z]{4})/.exec(await newest(1)) ?? []
      await field(own.page, 'verification_code').fill(code === '000000' ? '111111' : '000000')
      await giveIn(own.page, 'lin')
      const codeField = own.page.locator('.n-form-item', { hasText: 'Code from the mail' })
      await codeField.getByText('The code is not right').waitFor()
      await own.picture('register-mail-light')
      await field(own.page, 'verification_code').fill(code)
      await submit(own.page).click()
      await own.page.waitForURL('**/dashboard')
      const { items } = await admin.must('GET', '/api/user/search?keyword=lin')
      t.match(items[0], { username: 'lin', email: 'lin@example.com' })

      await own.context.close()
      const lost = await guest(t, testGateway)
      lost.expectError(/status of (?:400|401)/)
      await lost.open('/reset')
      await field(lost.page, 'email').fill('lin@example.com')
      await submit(lost.page).click()
      await lost.page.locator('[data-test=sent]').waitFor()
      await lost.picture('reset-sent-light')
      t.strictSame(await findings(lost.page), [])
      const [link = ''] = /http\S+user\/reset\S+/.exec(await newest(2)) ?? []
      await lost.page.goto(link.replaceAll('&amp;', '&'))
      await field(lost.page, 'password').waitFor()
      t.equal(new URL(lost.page.url()).search, '', 'the secret is gone from the address')
      await lost.picture('reset-choose-light')
      t.strictSame(await findings(lost.page), [])
      await field(lost.page, 'password').fill('a wholly new password')
      await submit(lost.page).click()
      await lost.page.locator('[data-test=changed]').waitFor()
      t.equal((await management(gateway.url).login('lin', password)).status, 401)
      t.equal((await management(gateway.url).login('lin', 'a wholly new password')).status, 200)
      await lost.page.goto(link.replaceAll('&amp;', '&'))
      await field(lost.page, 'password').fill('once more, please')
      await submit(lost.page).click()
      await lost.page.getByRole('link', { name: 'Ask for a new link' }).waitFor()
      await lost.context.close()
      await admin.option('EmailVerificationEnabled', false)
    },
  )

  await t.test('where nobody may join, the pages say so and offer no form', async (t) => {
    await admin.option('RegisterEnabled', false)
    const own = await guest(t, testGateway)
    own.expectError(/401/)
    await own.open('/register')
    await own.page.getByText('Sign-up is closed here').waitFor()
    t.equal(await field(own.page, 'username').count(), 0)
    await own.picture('register-closed-light')
    await own.open('/login')
    t.equal(await own.page.getByRole('link', { name: 'Create an account' }).count(), 0)
    await admin.option('RegisterEnabled', true)
    await admin.option('PasswordRegisterEnabled', false)
    await own.open('/register')
    await own.page.getByText('Sign-up is closed here').waitFor()
    await own.context.close()
  })
})
