/** The provider behind the gateway of `later-pay`: pages to pay and to change how, charges by script, and signed reports. */
import { createHmac } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Test } from 'tap'

export interface LaterOrder {
  readonly orderNo: string
  /** In minor units. */
  readonly amount: string
}

export interface LaterProvider {
  readonly url: string
  readonly key: string
  /** Pages that were opened, newest last. */
  readonly pages: readonly URL[]
  /** What was to be charged, newest last. */
  readonly charges: readonly LaterOrder[]
  /** The bank refuses from now on, with this sentence; undefined: it does not. */
  refuse(reason: string | undefined): void
  /** Reports to the gateway that an order is paid, or was paid back; `mandate`: what it can be charged by later. */
  report(
    gateway: string,
    order: LaterOrder,
    facts?: Readonly<Record<string, unknown>>,
  ): Promise<number>
}

export async function laterProvider(t: Pick<Test, 'teardown'>): Promise<LaterProvider> {
  const key = 'key of the provider'
  const pages: URL[] = []
  const charges: LaterOrder[] = []
  let refusal: string | undefined
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      if (request.method === 'POST') {
        charges.push(JSON.parse(Buffer.concat(chunks).toString()))
        const result =
          refusal === undefined ? { kind: 'begun' } : { kind: 'refused', reason: refusal }
        return response.end(JSON.stringify(result))
      }
      const page = new URL(request.url ?? '', url)
      if (page.pathname !== '/favicon.ico') pages.push(page)
      response.setHeader('content-type', 'text/html')
      response.end('<title>Later Pay</title><link rel="icon" href="data:,"><h1>Later Pay</h1>')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, resolve))
  t.teardown(() => server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  return {
    ...{ url, key, pages, charges },
    refuse(reason) {
      refusal = reason
    },
    async report(gateway, { orderNo, amount }, facts = {}) {
      const notice = { state: 'paid', event: `paid ${orderNo}`, reference: `pay ${orderNo}` }
      const body = JSON.stringify({ ...notice, orderNo, amount, currency: 'EUR', ...facts })
      const signature = createHmac('sha256', key).update(body).digest('hex')
      const headers = { 'later-signature': signature }
      const response = await fetch(`${gateway}/api/payment/later/callback`, {
        ...{ method: 'POST', headers, body },
      })
      return response.status
    },
  }
}
