/** Every page a role can reach from its menu, and every public one, fits a phone. */
import t from 'tap'
import { noBrowser, openConsole } from './kit/browser.js'
import { furnish } from './kit/furnish.js'
import { guestPages, lookOnPhone, menuOf, phone, publicPages } from './kit/look.js'

t.test('every page behind the sign-in fits a phone', { skip: noBrowser }, async (t) => {
  const opened = await openConsole(t)
  await furnish(t, opened.gateway)
  const paths = await menuOf(opened)
  await opened.page.setViewportSize(phone)
  await lookOnPhone(t, opened, [...paths, ...publicPages])
})

t.test('every page before the sign-in fits a phone', { skip: noBrowser }, async (t) => {
  const opened = await openConsole(t, { signedIn: false, viewport: phone })
  opened.expectError(/status of 401/)
  await lookOnPhone(t, opened, guestPages, 'guest-')
})
