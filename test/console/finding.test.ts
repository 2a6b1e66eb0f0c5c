/** The palette finds more than pages, and many users are changed from their list. */
import t from 'tap'
import { root } from '../kit/management.js'
import { findings } from './kit/axe.js'
import { consoleOf, noBrowser, openConsole } from './kit/browser.js'
import { giveIn, guest, member } from './kit/guests.js'
import { phone, tooWide } from './kit/look.js'

t.test('finding and changing', { skip: noBrowser, timeout: 240_000 }, async (t) => {
  const console = await openConsole(t)
  const { gateway, page, context, open, picture } = console
  const { admin } = gateway
  const fields = { type: 1, key: 'k', base_url: 'https://up.example', group: 'default' }
  const channel = await admin.channel({ ...fields, name: 'Zebra main', models: 'zebra-large' })
  await admin.option('ModelRatio', { 'zebra-large': 1 })
  const user = await member(gateway, 'zebra')
  await member(gateway, 'zebu')
  await admin.token({ name: 'Zebra key' })
  const box = page.getByTestId('palette-box')
  const choices = box.getByRole('option')

  await t.test(
    'the palette finds channels, users, keys, models, settings and requests',
    async (t) => {
      await open('/dashboard')
      await page.keyboard.press('Control+k')
      await box.waitFor()
      await page.keyboard.type('zebra')
      for (const kind of ['Channel', 'User', 'API key', 'Model']) {
        await choices.filter({ hasText: kind }).first().waitFor()
      }
      await picture('palette-finds-light')
      t.strictSame(await findings(page), [])
      await choices
        .filter({ hasText: `zebra · #${user}` })
        .first()
        .click()
      await page.waitForURL(`**/users/${user}`)
      await page.keyboard.press('Control+k')
      await page.keyboard.type('Zebra main')
      await choices.filter({ hasText: `#${channel}` }).waitFor()
      await page.keyboard.press('Enter')
      await page.waitForURL(`**/channels/${channel}`)
      await page.keyboard.press('Control+k')
      await page.keyboard.type('QuotaRemindThreshold')
      await choices.filter({ hasText: 'Setting' }).waitFor()
      await page.keyboard.press('Enter')
      await page.waitForURL('**/options**#QuotaRemindThreshold')
      await page.keyboard.press('Control+k')
      const id = `req_${'0'.repeat(26)}`
      await page.keyboard.type(id)
      await choices.filter({ hasText: 'Request' }).waitFor()
      await page.keyboard.press('Enter')
      await page.waitForURL(`**/logs?request_id=${id}`)
    },
  )

  await t.test(
    'what is typed at once after the shortcut is kept, whatever is on its way',
    async (t) => {
      const own = await consoleOf(t, context.browser()!, gateway)
      await own.open('/dashboard')
      await own.page.waitForLoadState('networkidle')
      let release = () => {}
      const released = new Promise<void>((resolve) => {
        release = resolve
      })
      await own.page.route('**/assets/*.js', async (route) => {
        await released
        await route.continue()
      })
      const dialog = own.page.getByTestId('palette-box')
      await own.page.keyboard.press('Control+k')
      await own.page.keyboard.type('zeb')
      t.equal(await dialog.locator('input:focus').inputValue(), 'zeb')
      release()
      await own.page.keyboard.type('ra')
      await dialog
        .getByRole('option')
        .filter({ hasText: `zebra · #${user}` })
        .first()
        .waitFor()
      t.equal(await dialog.locator('input:focus').inputValue(), 'zebra')
    },
  )

  await t.test('a setting is found by its title in Chinese and in English', async (t) => {
    const own = await consoleOf(t, context.browser()!, gateway, { locale: 'zh-CN' })
    await own.open('/dashboard')
    for (const typed of [
      '低于此余额时',
      'QuotaRemindThreshold',
      'Balance below which users are warned, unless they set their own',
    ]) {
      await own.page.keyboard.press('Control+k')
      const dialog = own.page.getByTestId('palette-box')
      await dialog.locator('input:focus').waitFor()
      await own.page.keyboard.type(typed)
      await dialog.getByRole('option').filter({ hasText: '低于此余额时提醒用户' }).waitFor()
      await own.page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
    }
  })

  await t.test(
    '[AUTH-2] a user finds own keys and models alone, in the dark on a phone',
    async (t) => {
      const own = await guest(t, console, { theme: 'dark', viewport: phone })
      own.expectError(/401/)
      const asked: string[] = []
      own.page.on('request', (one) => asked.push(new URL(one.url()).pathname))
      await own.open('/login')
      t.equal(
        await own.page.getByRole('link', { name: 'Password lost?' }).count(),
        0,
        'without mail',
      )
      await giveIn(own.page, 'zebra')
      await own.page.waitForURL('**/dashboard')
      await own.page.locator('h1:focus').waitFor()
      await own.page.keyboard.press('Control+k')
      await own.page.getByTestId('palette-box').locator('input:focus').waitFor()
      await own.page.keyboard.type('zebra')
      const found = own.page.getByTestId('palette-box').getByRole('option')
      await found.filter({ hasText: 'zebra-large' }).waitFor()
      await own.picture('palette-finds-phone-dark')
      t.equal(await found.count(), 1)
      t.equal(await tooWide(own.page), 0)
      t.notOk(asked.some((path) => /^\/api\/(channel|user\/search|option)/.test(path)))
      await admin.option('SMTPServer', 'mail.example')
      const guestToo = await guest(t, console)
      guestToo.expectError(/401/)
      await guestToo.open('/login')
      await guestToo.page.getByRole('link', { name: 'Password lost?' }).waitFor()
    },
  )

  await t.test(
    'balances of chosen users are changed at once, with the sum shown before',
    async (t) => {
      await open('/users')
      await page.getByLabel('Choose all').first().click()
      await page.getByTestId('balance-chosen').click()
      const form = page.getByTestId('move-balances')
      await page.getByRole('dialog', { name: 'Adjust the balances of 3 users' }).waitFor()
      await form.getByTestId('amount').locator('input').fill('2')
      await page.keyboard.press('Tab')
      await form.getByTestId('sum').getByText('$2.00 for each of 3 users: $6.00 in all.').waitFor()
      await form.locator('[name=remark] input, input[name=remark]').fill('A gift')
      await picture('users-balances')
      t.strictSame(await findings(page), [])
      console.expectError(/status of 403/)
      await form.getByRole('button', { name: 'Adjust 3 balances' }).click()
      const proof = page.getByRole('dialog').filter({ hasText: 'Is it really you?' })
      await proof.locator('input[type=password]').fill(root.password)
      await proof.getByRole('button', { name: 'Confirm' }).click()
      await page.getByTestId('outcome').getByText('root').waitFor()
      await page.getByRole('dialog').getByText('Balances changed by $4.00 in all.').waitFor()
      await page.getByRole('button', { name: 'Close' }).last().click()
      const { quota } = await admin.must('GET', `/api/user/${user}`)
      t.equal(quota, 1_000_000)
    },
  )

  await t.test('all users of a filter are changed at once, and who stays is named', async (t) => {
    await admin.must('PUT', '/api/group/', { name: 'vip', ratio: 1 })
    await open('/users')
    await page.getByLabel('Choose all').first().click()
    await page.getByTestId('edit-chosen').click()
    const form = page.getByTestId('edit-users')
    await page.getByRole('dialog', { name: 'Edit 3 users' }).waitFor()
    await form.getByTestId('status').click()
    await page.locator('.n-base-select-option:visible').getByText('Disable').click()
    await picture('users-many-light')
    t.strictSame(await findings(page), [])
    await form.getByRole('button', { name: 'Change 3 users' }).click()
    await page.getByTestId('outcome').getByText('root').waitFor()
    t.match(await admin.must('GET', `/api/user/${user}`), { status: 2 })
    t.match(await admin.must('GET', '/api/user/1'), { status: 1 })
  })

  await t.test(
    'health and switch of a channel are within reach at 1280 and 390 pixels',
    async (t) => {
      for (const viewport of [{ width: 1280, height: 500 }, phone]) {
        const own = await consoleOf(t, context.browser()!, gateway, { viewport })
        await own.open('/channels')
        const one = own.page.getByRole('switch').last()
        await one.waitFor()
        for (const part of [one, own.page.locator('.health').first()]) {
          const place = await part.boundingBox()
          // As much as a scrollbar takes.
          t.ok(
            place !== null &&
              place.x >= 0 &&
              place.x + place.width <= viewport.width - (viewport === phone ? 0 : 15),
          )
        }
      }
    },
  )
})
