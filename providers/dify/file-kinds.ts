/**
 * What this service takes a file for, by its extension; it compares the kind that is stated with the one it finds. Documented with
 * the inputs of workflows (github.com/langgenius/dify, web/app/components/develop/template/template_workflow.en.mdx, read 2026-11-27).
 */
const kinds = {
  document:
    'txt md markdown mdx pdf html xlsx xls vtt properties doc docx csv eml msg pptx ppt xml epub',
  image: 'jpg jpeg png gif webp svg',
  audio: 'mp3 m4a wav amr mpga',
  video: 'mp4 mov mpeg webm',
} as const

const kindOfExtension = new Map(
  Object.entries(kinds).flatMap(([kind, extensions]) =>
    extensions.split(' ').map((extension) => [extension, kind]),
  ),
)

/** `custom` is any other file. */
export function kindOfFile(name: string): string {
  const extension = name.slice(name.lastIndexOf('.') + 1).toLowerCase()
  return kindOfExtension.get(extension) ?? 'custom'
}
