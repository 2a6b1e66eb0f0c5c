/** Many users of a filter are deleted at once: how many they are is stated and typed, and who stays is named. */
import type { Page } from 'playwright-core'
import t from 'tap'
import { root } from '../kit/management.js'
import { findings } from './kit/axe.js'
import { consoleOf, noBrowser, openConsole, signIn } from './kit/browser.js'
import { phone, tooWide } from './kit/look.js'

const desk = { width: 1280, height: 860 }

t.test('many users are deleted at once', { skip: noBrowser, timeout: 120_000 }, async (t) => {
  const { gateway, context } = await openConsole(t, { signedIn: false })
  const { admin } = gateway
  const { knex } = gateway.gateway.service('database')
  const addCrew = (from: number, to: number) =>
    knex.raw(
      `INSERT INTO users (username, password_hash, display_name)
       SELECT 'crew-' || n, '', 'Crew ' || n FROM generate_series(?::int, ?::int) AS n`,
      [from, to],
    )
  await addCrew(1, 24)
  await knex('users').where({ id: 1 }).update({ display_name: 'Root of the crew' })
  for (const username of ['crew-chief', 'boss']) {
    await admin.must('POST', '/api/user/', { username, password: root.password, role: 10 })
  }
  const own = await consoleOf(t, context.browser()!, gateway, { signedIn: false })
  const { page } = own
  await signIn(own.context, gateway.url, { username: 'boss', password: root.password })
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/api/user/batch/delete')) sent.push(request.postData() ?? '')
  })
  const form = page.getByTestId('remove-users')
  const number = form.locator('input[name=count]')
  const verb = (count: number) => form.getByRole('button', { name: `Delete ${count} users` })

  await t.test('the confirmation states how many, and takes no other number', async (t) => {
    await own.open('/users?keyword=crew')
    await chooseFound(page)
    await page.getByRole('dialog', { name: 'Delete 26 users?' }).waitFor()
    t.ok(await verb(26).isDisabled())
    for (const wrong of ['25', '260', 'all']) {
      await number.fill(wrong)
      await page.keyboard.press('Enter')
      t.ok(await verb(26).isDisabled(), wrong)
    }
    t.strictSame(sent, [])
    await own.picture('users-remove-1280')
    t.strictSame(await findings(page), [])
    await page.setViewportSize(phone)
    await own.picture('users-remove-390')
    t.equal(await tooWide(page), 0)
    await page.setViewportSize(desk)
  })

  await t.test('nobody is deleted where another number of users matches by then', async (t) => {
    own.expectError(/400/)
    await addCrew(25, 25)
    await number.fill('26')
    await verb(26).click()
    await form.getByText('27 users match by now').waitFor()
    t.equal(await removed(), 0)
    await form.getByRole('button', { name: 'Cancel' }).click()
    await form.waitFor({ state: 'detached' })
  })

  await t.test('[AUTH-4] all of the filter go but those of the same role or above', async (t) => {
    await own.open('/users?keyword=crew')
    await chooseFound(page)
    await number.fill('27')
    await verb(27).click()
    const outcome = page.getByTestId('outcome')
    await outcome.getByText('root', { exact: true }).waitFor()
    t.strictSame(await outcome.locator('li strong').allInnerTexts(), ['root', 'crew-chief'])
    await outcome.getByText('25 users were deleted.').waitFor()
    await outcome.getByText('2 stayed as they were:').waitFor()
    await own.picture('users-removed-1280')
    t.strictSame(await findings(page), [])
    await page.setViewportSize(phone)
    await own.picture('users-removed-390')
    t.equal(await tooWide(page), 0)
    await page.setViewportSize(desk)
    t.equal(await removed(), 25)
    const stay = await knex('users').whereNull('deleted_at').orderBy('id').pluck('username')
    t.strictSame(stay, ['root', 'crew-chief', 'boss'])
    await page.getByRole('button', { name: 'Close' }).last().click()
    await page.locator('tbody').getByText('Deleted').first().waitFor()
  })

  async function removed(): Promise<number> {
    return (await knex('users').whereNotNull('deleted_at')).length
  }
})

/** All that match, those of the second page too. */
async function chooseFound(page: Page): Promise<void> {
  await page.getByLabel('Choose all').first().click()
  await page.getByTestId('choose-all').click()
  await page.getByTestId('remove-chosen').click()
}
