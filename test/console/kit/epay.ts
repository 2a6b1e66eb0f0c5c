/** Payments as browser tests make them: bank transfer and Epay on offer, and Epay's side of it. */
import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Test } from 'tap'
import type { Console } from './browser.js'

const key = 'key of the merchant'

/** Both gateways are switched on; the address payers come back to is left to the test. */
export async function offerPayments(
  { admin }: Pick<Console['gateway'], 'admin'>,
  provider: string,
): Promise<void> {
  await admin.option('payment.offline.enabled', true)
  const instructions = 'Transfer **{amount} {currency}** and write `{order}` as the reason.'
  await admin.option('payment.offline.instructions', instructions)
  for (const [name, value] of Object.entries({
    ...{ PayAddress: provider, EpayId: '1001', EpayKey: key, Price: 7 },
    PayMethods: JSON.stringify([{ name: 'Alipay', type: 'alipay' }]),
  })) {
    await admin.option(name, value)
  }
}

/** A provider that takes the form, goes on to a page at another origin, and keeps what it got. */
export async function epayProvider(t: Test) {
  const forms: Record<string, string>[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      if (request.method !== 'POST') {
        response.setHeader('content-type', 'text/html')
        return response.end('<title>Cashier</title><h1>Cashier</h1>')
      }
      forms.push(Object.fromEntries(new URLSearchParams(Buffer.concat(chunks).toString())))
      const { port } = server.address() as AddressInfo
      response.writeHead(302, { location: `http://localhost:${port}/cashier` }).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, resolve))
  t.teardown(() => server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, forms }
}

/** As the provider signs its reports. */
export function signed(fields: Readonly<Record<string, string>>): URLSearchParams {
  const text = Object.keys(fields)
    .sort()
    .map((name) => `${name}=${fields[name]}`)
    .join('&')
  const sign = createHash('md5')
    .update(text + key)
    .digest('hex')
  return new URLSearchParams({ ...fields, sign, sign_type: 'MD5' })
}
