/** The menu: few lines, nothing out of reach, and room for areas it does not know. */
import t from 'tap'
import { consoleOf, noBrowser, openConsole, signIn } from './kit/browser.js'

t.test('the menu', { skip: noBrowser, timeout: 240_000 }, async (t) => {
  const opened = await openConsole(t)
  const { gateway, page, context, open, picture } = opened
  const lines = page.locator('aside nav a[href]')

  await t.test('root has a dozen lines at most, and sees all of them at once', async (t) => {
    await page.setViewportSize({ width: 1280, height: 860 })
    await open('/dashboard')
    const count = (await lines.count()) - 1
    t.ok(count >= 8 && count <= 12, `${count} lines`)
    const hidden = await page.evaluate(
      "(() => { const side = document.querySelector('aside'); return side.scrollHeight - side.clientHeight })()",
    )
    t.equal(hidden, 0, 'nothing is to be scrolled to')
    await picture('menu-root')
  })

  await t.test('what shares a line stands above its pages, by keyboard too', async (t) => {
    await open('/models')
    const tabs = page.getByTestId('line-tabs')
    t.same(await tabs.getByRole('link').allInnerTexts(), [
      ...['Catalogue', 'Prices', 'Entries', 'Vendors'],
    ])
    await tabs.getByRole('link', { name: 'Entries' }).focus()
    await page.keyboard.press('Enter')
    await page.waitForURL('**/model-entries')
    await tabs.locator('[aria-current=page]').getByText('Entries').waitFor()
    await page.locator('aside nav [aria-current=page]').getByText('Models').waitFor()
    await picture('menu-models')
    await open('/models/vendors')
    await page.waitForURL('**/vendors')
    await open('/channels/new')
    await tabs.locator('[aria-current=page]').getByText('Channels').waitFor()
  })

  await t.test('the palette leads to every page', async (t) => {
    await open('/dashboard')
    for (const [typed, path] of [
      ['vendors', '/vendors'],
      ['receipts', '/orders/receipts'],
      ['outbox', '/outbox'],
    ] as const) {
      await page.keyboard.press('Control+k')
      await page.getByTestId('palette-box').waitFor()
      await page.keyboard.type(typed)
      await page.keyboard.press('Enter')
      await page.waitForURL(`**${path}`)
    }
    t.pass()
  })

  await t.test('users see their part, and a line of one page is called as the page', async (t) => {
    const ada = { username: 'ada', password: 'a long password here' }
    await gateway.admin.must('POST', '/api/user/', ada)
    const own = await consoleOf(t, context.browser()!, gateway, { signedIn: false })
    own.expectError(/401/)
    await signIn(own.context, gateway.url, ada)
    await own.open('/models')
    t.equal(await own.page.getByTestId('line-tabs').count(), 0)
    const texts = await own.page.locator('aside nav li a').allInnerTexts()
    t.ok(texts.includes('Catalogue') && !texts.includes('Channels'))
    await own.picture('menu-user')
  })
})
