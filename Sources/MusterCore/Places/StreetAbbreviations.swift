// Words in street names and their abbreviations, as keys: without diacritics, in lower case, `st` as `saint`. A
// gazetteer may have the full word and a query the short one, or vice versa. So a span of a query is looked up in all
// its spellings, and a new row does not require a new import of gazetteers.
//
// In Germanic languages, Hungarian and Finnish the word ends the name: `Hauptstr.` is `Hauptstraße`. It may be written
// as a separate word.

/// The abbreviations of words in street names.
enum StreetAbbreviations {
    /// Separate words: a full word and its short forms.
    private static let words = """
        street saint str; road rd; avenue av ave aven; boulevard bd bld blvd boul bvd bl; lane ln; drive dr; court ct crt; place pl
        square sq sqr; highway hwy; parkway pkwy pky; terrace ter terr tce; crescent cres cr; close cl; gardens gdns; garden gdn
        grove gr gro grv; park pk; trail trl; circle cir circ; expressway expy expwy; freeway fwy; turnpike tpke; plaza plz pl pza plza
        alley aly; bridge br brg; heights hts; hill hl; point pt; center ctr; centre ctr; junction jct; station sta stn
        north n; south s; east e; west w; northeast ne; northwest nw; southeast se; southwest sw; upper upr; lower lwr
        rue r; chemin ch che chem; impasse imp; allee all; allees all; route rte rt; faubourg fg fbg; cours crs; quai q qu
        passage pass psg; promenade prom; escalier esc; montee mte; residence res; general gen gal gral; docteur dr; doctor dr
        doktor dr; professeur pr prof; professor prof; president pdt pres; commandant cdt cmdt; colonel col; marechal mal
        capitaine cne; lieutenant lt; via v; viale vle; piazza pza pzza; piazzale ple pzle; corso cso; largo lgo lg; vicolo vlo vic
        lungotevere lgt; strada str sda; traversa trav; contrada cda; circonvallazione circ; san s; santa s sta; santo s sto; sao s
        calle c cl cll; avenida av avda avd ave; paseo po pso ps; carretera ctra crta; camino cno; glorieta gta; ronda rda
        travesia trva tva; carrera cra kr cr; diagonal diag dg; calzada calz; bulevar blvr bul bd blvd; rambla rbla; parque pque
        carrer c cr; avinguda av avda; placa pl pca; passeig pg; passatge ptge; rua r; travessa tv trav; praca pca pc pr; alameda al
        estrada est estr; rodovia rod; calcada calc; ladeira ld; jardim jd; ulica ul; aleja al; aleje al; plac pl; osiedle os
        ulice ul; namesti nam; namestie nam; trida tr; nabrezi nabr; nabrezie nabr; cesta c; trg t; cadde cad cd; caddesi cad cd cadd
        sokak sok sk; sokagi sok sk; bulvari bul bulv blv; mahallesi mah mh; meydani meyd; bulevardul bd bdul bul blvd; calea cal
        soseaua sos; aleea al; piata pta; splaiul spl; prospekt pr prosp prkt; pereulok per; plosad pl; bulvar bulv bul; proezd pr
        vulica vul; provulok prov; plosa pl; bulevard bul; leoforos leof l; plateia pl; odos od; jalan jl jln; gang gg; lorong lrg
        tanav tn; maantee mnt; puiestee pst; iela i; gatve g; aikste a
        """
    /// Words that may also end the name and are the most frequent meaning of their abbreviations.
    private static let firstEndings = "strasse str; platz pl; gasse g; weg w wg; allee all"
    /// All other words that may end the name.
    private static let otherEndings = """
        brucke br; bruecke br; straat str; laan ln; plein pl pln; gracht gr; kade kd; singel sgl; dijk dk; steenweg stwg
        gatan g gt; gata g gt; vagen v vg; gate g gt; veien v vn; vei v; plass pl; gade g gd; vej v; plads pl
        katu k; tie t; kuja kj; utca u; korut krt; rakpart rkp; setany stny
        """

    /// The full words of a short one, the likeliest first; and the short ones of a full one.
    private static let (full, short) = Self.index([Self.firstEndings, Self.words, Self.otherEndings])
    private static let (fullEndings, shortEndings) = Self.index([Self.firstEndings, Self.otherEndings])

    /// The full words that a word may stand for; empty when it is not an abbreviation.
    static func fullWords(of word: String) -> [String] { Self.full[word] ?? [] }

    /// The abbreviations of a full word.
    static func shortWords(of word: String) -> [String] { Self.short[word] ?? [] }

    /// Whether a word, full or short, may be written as the end of the preceding word.
    static func isEnding(_ word: String) -> Bool { Self.fullEndings[word] != nil || Self.shortEndings[word] != nil }

    /// The ending of a word that ends with a street word.
    struct Ending {
        /// The name before the ending.
        let stem: String
        /// The ending as written.
        let tail: String
        /// The full words that it may stand for; empty when it is a full word.
        let full: [String]
    }

    /// The longest street word at the end of a word; nil when there is none.
    ///
    /// Abbreviations of one or two letters need a full stop, because names have the same endings; `pl` does not.
    static func ending(of word: String, isStopped: Bool) -> Ending? {
        // `saint` is never an ending.
        if word == "saint" { return nil }
        for count in stride(from: min(Self.longestEnding, word.utf8.count - 2), to: 0, by: -1) {
            let tail = String(word.suffix(count))
            let full = Self.fullEndings[tail] ?? []
            guard !full.isEmpty || Self.shortEndings[tail] != nil, count > 2 || isStopped || tail == "pl" else {
                continue
            }
            return Ending(stem: String(word.dropLast(count)), tail: tail, full: full)
        }
        return nil
    }

    private static let longestEnding = Self.shortEndings.keys.map(\.utf8.count).max() ?? 0

    /// Parses tables of rows, each with a full word and its short forms.
    private static func index(_ tables: [String]) -> (full: [String: [String]], short: [String: [String]]) {
        var (full, short): ([String: [String]], [String: [String]]) = ([:], [:])
        for row in tables.flatMap({ $0.split { $0 == ";" || $0 == "\n" } }) {
            let words = row.split(separator: " ").map(String.init)
            guard let word = words.first else { continue }
            for other in words.dropFirst() {
                if full[other]?.contains(word) != true { full[other, default: []].append(word) }
                if short[word]?.contains(other) != true { short[word, default: []].append(other) }
            }
        }
        return (full, short)
    }
}
