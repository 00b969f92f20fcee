import MusterCore

extension WorldRunner {
    /// Resumes the requests of phones' own apps.
    func execute(_ effect: PhoneAppEffect) {
        switch effect {
        case .viewed(let request, let view):
            self.outlets.phoneViews.resolve(request, view.map { .success($0) })
        }
    }
}
