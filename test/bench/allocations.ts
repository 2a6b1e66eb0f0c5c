/** `npm run bench -- --allocations`: what a relayed request allocates, by the function that does, collected objects included. */
import type { AllocationSite } from './allocation-profile.js'
import { profiledGateway } from './gateways.js'
import { measure } from './measure.js'
import { loader, mock } from './targets.js'

const connections = 64
const warmUp = 4_000
const requests = 8_000
const shownMax = 60

export async function runAllocations(): Promise<void> {
  const load = await loader()
  const upstream = await mock(50, 10)
  const gateway = await profiledGateway(upstream.origin)
  try {
    await measure(load, gateway, { kind: 'json', connections, requests: warmUp })
    await gateway.ask('begin allocations')
    await measure(load, gateway, { kind: 'json', connections, requests })
    print((await gateway.ask('end allocations')) as readonly AllocationSite[])
  } finally {
    await gateway.stop()
    await upstream.stop()
    load.disconnect()
  }
}

function print(sites: readonly AllocationSite[]): void {
  const all = sites.reduce((sum, { bytes }) => sum + bytes, 0)
  console.log(`${(all / requests / 1024).toFixed(1)} KB per request\n`)
  const most = [...sites].sort((a, b) => b.bytes - a.bytes).slice(0, shownMax)
  for (const { name, place, bytes } of most) {
    const each = Math.round(bytes / requests)
    console.log(`${String(each).padStart(7)} B  ${name.padEnd(32)} ${place}`)
  }
}
