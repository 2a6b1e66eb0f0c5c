/** The thread that makes receipts: setting a page of Chinese takes tens of milliseconds, in which nothing else would run. */
import { parentPort } from 'node:worker_threads'
import { createFonts } from './fonts.js'
import { makeReceipt } from './make.js'
import type { Job, Made } from './printer.js'

const fonts = createFonts()

parentPort?.on('message', async ({ id, receipt }: Job) => {
  parentPort?.postMessage(await made(id, receipt))
})

async function made(id: number, receipt: Job['receipt']): Promise<Made> {
  try {
    return { id, bytes: await makeReceipt(receipt, fonts) }
  } catch (error) {
    return { id, fault: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}
