/** What every form and every list keeps: nothing unreadable is saved, faults are reported and go, the address is followed. */
import t from 'tap'
import { findings } from './kit/axe.js'
import { noBrowser, openConsole } from './kit/browser.js'
import { until } from './kit/guests.js'
import { phone, tooWide } from './kit/look.js'

const timeout = 90_000

t.test('forms', { skip: noBrowser, timeout }, async (t) => {
  const { gateway, page, open } = await openConsole(t)
  const { admin } = gateway
  const fields = { key: 'k', base_url: 'http://127.0.0.1:9', group: 'default', models: 'a' }
  const long = 'channel'.repeat(18)
  const settings = { routes: { routes: [] } }
  const id = await admin.channel({ ...fields, type: 58, name: 'First', settings })
  const other = await admin.channel({ ...fields, type: 1, name: long })

  await t.test('what cannot be read is not saved over, and stands at its field', async (t) => {
    await open(`/channels/${id}/settings`)
    const routes = page.getByRole('textbox', { name: 'Routes', exact: true })
    await routes.fill('{"routes": [')
    await page.getByRole('alert').getByText('This is no JSON yet').waitFor()
    t.equal(await routes.getAttribute('aria-invalid'), 'true')
    const sent: string[] = []
    page.on('request', (one) => one.method() !== 'GET' && sent.push(one.url()))
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.locator('textarea[aria-invalid=true]:focus').waitFor()
    t.equal(await page.getByText('Saved.').count(), 0)
    t.strictSame(sent, [])
    await routes.fill('{ "routes": [] }')
    await page.locator('input[name=name]').fill('Second')
    await page.getByText('This is no JSON yet').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Saved.').waitFor()
  })

  await t.test(
    'a fault is reported at its field, and goes once the field is changed',
    async (t) => {
      await open('/users/new')
      await page
        .getByRole('button', { name: /create|new user|add/i })
        .last()
        .click()
      const username = page.locator('input[name=username]')
      const fault = page.locator('.n-form-item', { has: username }).getByRole('alert')
      await fault.waitFor()
      t.equal(await username.getAttribute('aria-invalid'), 'true')
      await username.fill('somebody')
      await fault.waitFor({ state: 'detached' })
      t.not(await username.getAttribute('aria-invalid'), 'true')
    },
  )

  await t.test('another channel is not come to over what is not saved', async (t) => {
    await open(`/channels/${id}/settings`)
    await page.locator('input[name=name]').fill('Changed')
    // As the way back does.
    await page.evaluate(`{
      const { state } = history
      const before = { ...state, position: state.position - 1 }
      history.replaceState(before, '', '/channels/${other}/settings')
      history.pushState(state, '', '/channels/${id}/settings')
      history.back()
    }`)
    const question = page.getByRole('dialog', { name: 'Leave without saving?' })
    await question.getByRole('button', { name: 'Stay' }).and(page.locator(':focus')).waitFor()
    await page.keyboard.press('Enter')
    await question.waitFor({ state: 'detached' })
    t.equal(await page.locator('input[name=name]').inputValue(), 'Changed')
    page.once('dialog', (dialog) => void dialog.accept())
  })

  await t.test('a long name makes no page wider than a phone', async (t) => {
    await page.setViewportSize(phone)
    await open(`/channels/${other}/settings`)
    await page.getByRole('heading', { level: 1, name: long }).waitFor()
    t.equal(await tooWide(page), 0)
  })
})

t.test('lists', { skip: noBrowser, timeout }, async (t) => {
  const { page, open } = await openConsole(t)

  await t.test('they follow the address: the menu, and the way back', async (t) => {
    await open('/users?keyword=nobody')
    const keyword = page.locator('input[name=keyword], [role=search] input').first()
    t.equal(await keyword.inputValue(), 'nobody')
    await page.getByText('Nothing found').waitFor()
    await page.locator('aside nav a[href="/users"]').click()
    await page.waitForURL((url) => url.search === '')
    await page.locator('tbody').getByText('root').first().waitFor()
    t.equal(await keyword.inputValue(), '')
    await page.goBack()
    await page.waitForURL('**/users?keyword=nobody')
    await page.getByText('Nothing found').waitFor()
    t.equal(await keyword.inputValue(), 'nobody')
  })
})

t.test('lists on a phone', { skip: noBrowser, timeout }, async (t) => {
  const { page, open } = await openConsole(t, { viewport: phone })

  await t.test('a table wider than the screen is moved by keyboard', async (t) => {
    const notice = { id: 1, type: 'quota_warning', state: 'failed', attempts: 1, reason: 'No way.' }
    const data = { items: [{ ...notice, created_at: 1, finished_at: 1 }], total: 12_000 }
    await page.route('**/api/user/notices?*', (route) =>
      route.fulfill({ json: { success: true, message: '', data: { ...data, page: 1 } } }),
    )
    await open('/profile/notices')
    await page.getByText('12,000 in all').waitFor()
    const table = page.locator('.n-scrollbar-container[role=group]')
    await table.focus()
    await page.keyboard.press('ArrowRight')
    await until(() => table.evaluate((box) => box.scrollLeft > 0))
    t.strictSame(await findings(page), [])
  })
})
