/** Loaded into a gateway under test before anything else: samples on demand what is allocated, whether or not it is collected again. */
import { type HeapProfiler, Session } from 'node:inspector/promises'

export interface AllocationSite {
  readonly name: string
  /** Path of the file from `dist/`, or of the package, with the line. */
  readonly place: string
  readonly bytes: number
}

const session = new Session()
session.connect()
const sampling = {
  samplingInterval: 4096,
  includeObjectsCollectedByMajorGC: true,
  includeObjectsCollectedByMinorGC: true,
}

process.on('message', (ask) => {
  if (ask === 'begin allocations') void begin()
  if (ask === 'end allocations') void end()
})

async function begin(): Promise<void> {
  await session.post('HeapProfiler.startSampling', sampling)
  process.send?.('begun')
}

async function end(): Promise<void> {
  const { profile } = await session.post('HeapProfiler.stopSampling')
  const sites = new Map<string, AllocationSite>()
  const collect = (node: HeapProfiler.SamplingHeapProfileNode): void => {
    const { functionName, url, lineNumber } = node.callFrame
    const name = functionName || '(anonymous)'
    const place = `${url.replace(/^.*\/(?:dist|node_modules)\//, '')}:${lineNumber + 1}`
    const key = `${name} ${place}`
    const bytes = (sites.get(key)?.bytes ?? 0) + node.selfSize
    sites.set(key, { name, place, bytes })
    node.children.forEach(collect)
  }
  collect(profile.head)
  process.send?.([...sites.values()])
}
