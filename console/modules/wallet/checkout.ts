/** The way to the page of a provider. */
import type { Checkout } from '../../api/payments.js'

/** True: the browser leaves this page. False: the payer does something beside it. */
export function leaveFor({ kind, url = '', fields = {} }: Checkout): boolean {
  if (kind !== 'redirect' && kind !== 'form') return false
  if (!/^https?:$/.test(new URL(url).protocol)) throw new Error('This is no address of a web page.')
  if (kind === 'redirect') location.assign(url)
  else post(url, fields)
  return true
}

function post(url: string, fields: Readonly<Record<string, string>>): void {
  const form = document.createElement('form')
  form.method = 'post'
  form.action = url
  form.hidden = true
  for (const [name, value] of Object.entries(fields)) {
    const input = document.createElement('input')
    Object.assign(input, { type: 'hidden', name, value })
    form.append(input)
  }
  document.body.append(form)
  // A field may be named `submit`.
  HTMLFormElement.prototype.submit.call(form)
}
