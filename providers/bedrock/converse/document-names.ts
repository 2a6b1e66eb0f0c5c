/**
 * Names of documents: letters, digits, single spaces, hyphens and brackets, and none twice in a request ("Messages can't contain
 * duplicate document names"; API reference, DocumentBlock, 2026-11-27).
 */
export class DocumentNames {
  private readonly taken = new Set<string>()

  next(name: string | undefined): string {
    const plain = plainName(name)
    let unique = plain
    for (let count = 2; this.taken.has(unique.toLowerCase()); count += 1) {
      const end = ` (${count})`
      unique = plain.slice(0, charactersMax - end.length) + end
    }
    this.taken.add(unique.toLowerCase())
    return unique
  }
}

const charactersMax = 200

function plainName(name = ''): string {
  const safe = name.replace(/[^a-zA-Z0-9\s()[\]-]/g, ' ').replace(/\s+/g, ' ')
  return safe.trim().slice(0, charactersMax).trim() || 'document'
}
