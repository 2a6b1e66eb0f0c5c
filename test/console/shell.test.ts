/** The shell of the console in a real browser: signing in, the way back, languages, themes, the palette. */
import t from 'tap'
import { root } from '../kit/management.js'
import { findings } from './kit/axe.js'
import { noBrowser, openConsole } from './kit/browser.js'

t.test(
  '[AUTH-8] who has to sign in comes back to the page they asked for',
  { skip: noBrowser },
  async (t) => {
    const { page, open, picture, expectError } = await openConsole(t, { signedIn: false })
    expectError(/401/)
    await open('/dashboard?from=link')
    t.match(page.url(), /\/login\?redirect=/)
    await picture('login')
    t.strictSame(await findings(page), [])
    await page.locator('input[name=username]').fill(root.username)
    await page.locator('input[name=password]').fill(root.password)
    await page.locator('button[type=submit]').click()
    await page.waitForURL('**/dashboard?from=link')
    await page.locator('[data-test=balance]').getByText('$20.00').waitFor()
    await picture('dashboard')
    t.strictSame(await findings(page), [])
  },
)

t.test('the palette goes to a page by keyboard alone', { skip: noBrowser }, async (t) => {
  const { page, open } = await openConsole(t)
  await open('/dashboard')
  await page.keyboard.press('Control+k')
  await page.locator('[data-test=palette-box]').waitFor()
  await page.keyboard.type('dash')
  t.strictSame(await findings(page), [])
  await page.keyboard.press('Enter')
  await page.locator('[data-test=palette-box]').waitFor({ state: 'detached' })
})
