"""Words that tell how a paper relates to what it names, by what they speak of."""

WE = frozenset(["we", "our", "ours", "us"])
LIMITS = frozenset(
    [
        "however", "unlike", "while", "although", "existing", "previous", "prior", "traditional",
        "conventional", "but", "despite", "suffer", "suffers", "limited", "limitation",
        "limitations", "fail", "fails", "drawback", "challenging", "challenge", "bottleneck",
        "costly", "expensive", "inefficient", "lack", "lacks", "struggle", "struggles", "issue",
        "issues", "unfortunately", "yet", "only", "still", "instead", "without", "cannot",
        "requires", "require", "problem", "overhead", "difficult", "prohibitive", "impractical",
        "slow", "hinder", "hinders", "insufficient", "suboptimal", "ignore", "ignores",
        "degradation", "drawbacks", "shortcomings", "contrast", "remains", "not"
    ]
)  # fmt: skip
COMPARING = frozenset(
    [
        "outperform", "outperforms", "outperforming", "outperformed", "surpass", "surpasses",
        "surpassing", "exceeds", "exceed", "beats", "faster", "better", "superior", "higher",
        "lower", "compared", "comparison", "comparable", "competitive", "than", "versus", "vs",
        "over", "speedup", "speedups", "improvement", "improvements", "improves", "reduces",
        "against", "baseline", "baselines", "achieves", "achieving", "state", "art", "match",
        "matches", "matching", "comparably"
    ]
)  # fmt: skip
BUILDING = frozenset(
    [
        "based", "built", "build", "builds", "building", "extends", "extend", "extending",
        "extension", "integrate", "integrates", "integrated", "integrating", "integration",
        "implemented", "implement", "implementation", "adapt", "adapts", "adapted", "adapting",
        "modify", "modifies", "modified", "variant", "variants", "inspired", "combine", "combines",
        "combining", "combination", "fine", "tune", "finetune", "tuned", "atop", "top",
        "incorporate", "incorporates", "incorporating", "incorporated", "replace", "replaces",
        "replacing", "generalize", "generalizes", "generalization", "reformulate", "within", "into",
        "revisit", "improve", "improving", "improved", "enhance", "enhances", "enhancing",
        "enhanced", "accelerate", "accelerating", "speed", "scaling", "port"
    ]
)  # fmt: skip
PROPOSING = frozenset(
    [
        "propose", "proposes", "proposed", "proposing", "present", "presents", "introduce",
        "introduces", "introducing", "develop", "develops", "design", "designed", "describe",
        "explore", "study", "investigate", "investigates"
    ]
)  # fmt: skip
USING = frozenset(
    [
        "use", "uses", "using", "used", "via", "employ", "employs", "leverage", "leverages",
        "leveraging", "apply", "applying", "utilize", "utilizes", "adopt", "adopts", "with",
        "evaluate", "evaluated", "evaluation", "experiments", "experimental", "dataset", "datasets",
        "benchmark", "benchmarks", "tested", "validate", "validated", "trained", "training", "on",
        "like", "including", "include", "includes", "such", "as"
    ]
)  # fmt: skip
SIGNALS = LIMITS | COMPARING | USING | PROPOSING
LISTING = frozenset([",", "and", "or", "&", "/", "(", ")", "both", "the", "a", "an", "as", "well"])
TURNS = frozenset(
    ["however", "but", "yet", "unfortunately", "nevertheless", "nonetheless", "still", "despite"]
)
REFERRING = frozenset(
    ["these", "such", "this", "they", "it", "their", "those", "while", "although"]
)
PREPOSITIONS = frozenset(
    [
        "of", "on", "to", "with", "by", "for", "from", "in", "into", "over", "than", "via", "as",
        "against", "upon", "through", "at", "between", "within", "under", "like", "using"
    ]
)  # fmt: skip
FUNCTION = PREPOSITIONS | frozenset(
    [
        "the", "a", "an", "and", "or", "is", "are", "was", "were", "be", "been", "has", "have",
        "had", "that", "which", "who", "whose", "we", "our", "it", "its", "they", "their", "this",
        "these", "can", "could", "may", "will", "would", "do", "does", "not", "but", "while",
        "when", "where", "if", "so", "then", "also", "both", "such", "only", "to"
    ]
)  # fmt: skip
