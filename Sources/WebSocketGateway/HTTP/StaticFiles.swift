import CZlib
import Glibc
import MusterWire
import Synchronization

/// A folder of static files that is served below a path.
package struct StaticMount: Sendable {
    /// The path; begins and ends with a slash.
    package var prefix: String
    /// The folder on disk.
    package var directory: String
    /// The `cache-control` header of its responses.
    package var cacheControl: String

    /// Creates a mount of `directory` at `prefix`.
    package init(prefix: String, directory: String, cacheControl: String = "no-cache") {
        self.prefix = prefix
        self.directory = directory
        self.cacheControl = cacheControl
    }
}

/// The files of the mounted folders, read once at the start.
///
/// Responses come from a table of exact paths, so no path can escape from a folder. Hidden files are excluded.
///
/// One script, the listing, is sent with a line before its text that names all other files with their tags:
/// `const PAGE = {"version":"…","files":{"/index.html":"\"…\"",…}};`. The version differs when any file does.
final class StaticFiles: Sendable {
    private final class File: Sendable {
        let content: [UInt8]
        let type: String
        let tag: String
        let cacheControl: String
        /// The gzip form; made at the first request, because few files are ever requested.
        private let compressed: Mutex<Compressed>

        private enum Compressed {
            case pending
            case done([UInt8]?)
        }

        init(content: [UInt8], type: String, cacheControl: String, isCompressible: Bool) {
            self.content = content
            self.type = type
            self.tag = StaticFiles.tag(of: content)
            self.cacheControl = cacheControl
            self.compressed = Mutex(isCompressible ? .pending : .done(nil))
        }

        /// The gzip form; nil when it is hardly shorter.
        var gzip: [UInt8]? {
            self.compressed.withLock { compressed in
                if case .done(let gzip) = compressed { return gzip }
                let gzip = GzipEncoding.encode(self.content)
                compressed = .done(gzip)
                return gzip
            }
        }
    }

    /// The maximum size of a file; larger files are excluded.
    private static let maximumBytes = 16 * 1_048_576

    private let files: [String: File]

    /// Reads all files of `mounts`.
    ///
    /// Of two files with the same path, the one of the longer prefix wins, or else that of the later mount.
    ///
    /// `listing` is the path of the script that names all files; nil for none.
    init(mounts: [StaticMount], listing: String? = nil) {
        var files: [String: File] = [:]
        let ordered = mounts.enumerated().sorted {
            ($0.element.prefix.utf8.count, $0.offset) < ($1.element.prefix.utf8.count, $1.offset)
        }
        for (_, mount) in ordered {
            Self.read(folder: mount.directory, path: mount.prefix, mount: mount, depth: 0, into: &files)
        }
        if let listing, let script = files[listing] { files[listing] = Self.listing(files, before: script) }
        self.files = files
    }

    /// Returns a script with a line before it that names the files.
    private static func listing(_ files: [String: File], before script: File) -> File {
        let named = files.filter { $0.value !== script }.sorted { $0.key < $1.key }
        var tags: [UInt8] = []
        for (path, file) in named {
            tags.append(json: tags.isEmpty ? "{" : ",")
            tags.append(string: path)
            tags.append(json: ":")
            tags.append(string: file.tag)
        }
        tags.append(json: tags.isEmpty ? "{}" : "}")
        var content: [UInt8] = []
        content.append(json: "const PAGE = {\"version\":")
        content.append(string: String(self.tag(of: tags + script.content).dropFirst().dropLast()))
        content.append(json: ",\"files\":")
        content += tags
        content.append(json: "};\n")
        return File(
            content: content + script.content,
            type: script.type,
            cacheControl: script.cacheControl,
            isCompressible: true
        )
    }

    /// The number of files.
    package var count: Int { self.files.count }

    /// Returns the response to a `GET` or `HEAD` of `path`, in gzip if the client accepts it.
    ///
    /// Each encoding has its own tag.
    package func answer(path: String, ifNoneMatch: String?, acceptEncoding: String? = nil) -> HTTPResponse {
        guard let file = self.files[path.hasSuffix("/") ? path + "index.html" : path] else {
            return .problem(404, code: "not_found", detail: "There is no file at this path.")
        }
        // Files are public: a web app of another origin may import a module from here.
        let compressed = file.gzip
        let gzip = GzipEncoding.isAccepted(by: acceptEncoding) ? compressed : nil
        let tag = gzip == nil ? file.tag : file.tag.dropLast() + "-gzip\""
        var headers: [(name: String, value: String)] = [
            ("etag", tag), ("cache-control", file.cacheControl), ("access-control-allow-origin", "*"),
        ]
        if compressed != nil { headers.append(("vary", "accept-encoding")) }
        guard !EntityTag.isNamed(tag, in: ifNoneMatch) else { return HTTPResponse(status: 304, headers: headers) }
        headers.append(("content-type", file.type))
        if gzip != nil { headers.append(("content-encoding", "gzip")) }
        return HTTPResponse(status: 200, headers: headers, body: gzip ?? file.content)
    }

    private static func read(
        folder: String,
        path: String,
        mount: StaticMount,
        depth: Int,
        into files: inout [String: File]
    ) {
        guard depth < 16, let directory = opendir(folder) else { return }
        defer { closedir(directory) }
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard !name.hasPrefix(".") else { continue }
            let place = folder + "/" + name
            var status = stat()
            guard stat(place, &status) == 0 else { continue }
            if status.st_mode & S_IFMT == S_IFDIR {
                self.read(folder: place, path: path + name + "/", mount: mount, depth: depth + 1, into: &files)
            } else if status.st_mode & S_IFMT == S_IFREG, let content = self.content(of: place, count: status.st_size) {
                let type = Self.contentType(of: name)
                files[path + name] = File(
                    content: content,
                    type: type,
                    cacheControl: mount.cacheControl,
                    isCompressible: self.isText(type) && !name.hasSuffix(".map")
                )
            }
        }
    }

    private static func content(of place: String, count: Int) -> [UInt8]? {
        guard count <= self.maximumBytes, let file = fopen(place, "rb") else { return nil }
        defer { fclose(file) }
        return [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            initialized = fread(buffer.baseAddress, 1, count, file)
        }
    }

    /// Returns whether compression is useful.
    ///
    /// Pictures and fonts are already compressed.
    private static func isText(_ type: String) -> Bool {
        type.hasPrefix("text/") || type.hasSuffix("json") || type.hasSuffix("xml")
    }

    /// Returns a strong tag: the length and two checksums of the content, by zlib because it is fast in debug builds too.
    private static func tag(of content: [UInt8]) -> String {
        let sums = [crc32_z(0, content, content.count), adler32_z(1, content, content.count)]
        return "\"\(([UInt(content.count)] + sums).map { String($0, radix: 16) }.joined(separator: "-"))\""
    }

    /// Returns the media type of a file by its name's extension.
    private static func contentType(of name: String) -> String {
        let ending = name.split(separator: ".").last.map { $0.lowercased() } ?? ""
        return self.types[ending] ?? "application/octet-stream"
    }

    private static let types = [
        "html": "text/html; charset=utf-8",
        "css": "text/css; charset=utf-8",
        "js": "text/javascript; charset=utf-8",
        "mjs": "text/javascript; charset=utf-8",
        "json": "application/json",
        "geojson": "application/geo+json",
        "map": "application/json",
        "webmanifest": "application/manifest+json",
        "txt": "text/plain; charset=utf-8",
        "md": "text/markdown; charset=utf-8",
        "xml": "application/xml",
        "svg": "image/svg+xml",
        "png": "image/png",
        "jpg": "image/jpeg",
        "jpeg": "image/jpeg",
        "gif": "image/gif",
        "webp": "image/webp",
        "ico": "image/x-icon",
        "woff": "font/woff",
        "woff2": "font/woff2",
        "wasm": "application/wasm",
    ]
}
