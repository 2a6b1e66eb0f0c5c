/** Hosts an operator lists beside the public ones: by name, by address, or by network as in `192.168.1.0/24`. */
import { BlockList, isIP } from 'node:net'
import { parsedText } from '../toolkit/json/index.js'

export interface ListedHosts {
  hasName(host: string): boolean
  /** Whether it is listed, by itself or by its network. */
  hasAddress(address: string): boolean
  /** Whether it is listed by itself. */
  hasItself(address: string): boolean
}

/** @param text a JSON list, as a setting holds it; what is neither a name nor an address nor a network lists nothing */
export function listedHosts(text: string): ListedHosts {
  const names = new Set<string>()
  const networks = new BlockList()
  const addresses = new BlockList()
  for (const entry of entriesOf(text)) {
    const [address = '', bits] = entry.split('/')
    const family = isIP(address)
    const width = bits === undefined ? widths[family] : Number(bits)
    if (family === 0 && bits === undefined) names.add(entry)
    if (!isWidth(width, family)) continue
    networks.addSubnet(address, width, `ipv${family as 4 | 6}`)
    if (width === widths[family]) addresses.addAddress(address, `ipv${family as 4 | 6}`)
  }
  return {
    hasName: (host) => names.has(bare(host)),
    hasAddress: (address) => holds(networks, address),
    hasItself: (address) => holds(addresses, address),
  }
}

const widths: Readonly<Record<number, number>> = { 4: 32, 6: 128 }

function isWidth(width: number | undefined, family: number): width is number {
  return Number.isInteger(width) && width! >= 0 && width! <= (widths[family] ?? -1)
}

function entriesOf(text: string): readonly string[] {
  const list = parsedText(text)
  if (!Array.isArray(list)) return []
  return list
    .flatMap((entry) => (typeof entry === 'string' ? bare(entry.trim()) : []))
    .filter(Boolean)
}

/** A name may end in a dot, and case is nothing to it; an address may stand in brackets. */
function bare(host: string): string {
  return host
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '')
}

function holds(list: BlockList, address: string): boolean {
  const family = isIP(address)
  return family !== 0 && list.check(address, `ipv${family as 4 | 6}`)
}
